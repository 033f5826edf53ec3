// What the page needs of ECharts, and nothing more: the bundle is embedded in
// every report.
import * as echarts from 'echarts/core';
import { BarChart, BoxplotChart, CustomChart, LineChart } from 'echarts/charts';
import { DataZoomInsideComponent, GridComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';

echarts.use([BarChart, BoxplotChart, CustomChart, LineChart, DataZoomInsideComponent, GridComponent, SVGRenderer]);

export const { init, version } = echarts;
