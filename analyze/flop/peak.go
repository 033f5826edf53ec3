package flop

import (
	"strings"

	"perfdiff/analyze/trace"
)

// Peak is what a device can do at most, by its vendor's data sheet.
type Peak struct {
	FLOPs     [trace.NumberTypes]float64 // a second, of dense matrices, by type of numbers; 0: not known
	Bandwidth float64                    // B/s, of the device's memory
}

// PeakOf returns the peak of a device by the name that its driver gives it. Only whole names count: a slice of a
// device (MIG), or a variant with another clock or memory, has another peak.
func PeakOf(name string) (Peak, bool) {
	for _, maker := range []string{"NVIDIA ", "Tesla ", "AMD Instinct ", "AMD "} {
		name = strings.TrimPrefix(name, maker)
	}
	p, ok := peaks[name]
	return p, ok
}

// tera makes a peak of numbers in 10^12 a second, in the order of the types.
func tera(f64, f32, tf32, f16, f8, i8, bandwidth float64) Peak {
	p := Peak{Bandwidth: bandwidth * 1e12}
	for t, v := range map[trace.NumberType]float64{trace.Float64: f64, trace.Float32: f32, trace.TensorFloat32: tf32,
		trace.Float16: f16, trace.Float8: f8, trace.Int8: i8} {
		p.FLOPs[t] = v * 1e12
	}
	return p
}

// peaks are taken from the data sheets that NVIDIA and AMD publish for their products, tensor and matrix cores where
// they have the type. Where a sheet gives a rate with sparsity alone, it is halved; for Hopper in SXM the dense rates
// stand in the H100 Architecture white paper (2022). A rate that no sheet confirmed is 0. A device of MI250 and MI250X
// is one of the two dies of the product. Rates of CDNA 4 are rounded to 0.1 PF in its white paper, and are given here
// as they follow from its clocks, 256 compute units and 4096 operations of 16 bits a clock and unit.
var peaks = map[string]Peak{
	// Blackwell data sheet (2025), "GB200 NVL72" and "HGX B200", of which each GPU has 7.7 TB/s
	"GB200": tera(40, 80, 1250, 2500, 5000, 5000, 8),
	"B200":  tera(37, 75, 1100, 2250, 4500, 4500, 7.7),
	// H200 Tensor Core GPU data sheet (2024)
	"H200":     tera(67, 67, 494.7, 989.4, 1978.9, 1978.9, 4.8),
	"H200 NVL": tera(60, 60, 417.5, 835.5, 1670.5, 1670.5, 4.8),
	// H100 Tensor Core GPU data sheet (2022; with NVL 2024)
	"H100 80GB HBM3": tera(67, 67, 494.7, 989.4, 1978.9, 1978.9, 3.35),
	"H100 NVL":       tera(60, 60, 417.5, 835.5, 1670.5, 1670.5, 3.9),
	"H100 PCIe":      tera(51, 51, 378, 756.5, 1513, 1513, 2),
	// GH200 Grace Hopper Superchip data sheet (2023), of 96 GB of HBM3
	"GH200 480GB": tera(67, 67, 494.7, 989.4, 1978.9, 1978.9, 4),
	// A100 Tensor Core GPU data sheet (2020; with 80 GB 2021)
	"A100-SXM4-80GB": tera(19.5, 19.5, 156, 312, 0, 624, 2.039),
	"A100-SXM4-40GB": tera(19.5, 19.5, 156, 312, 0, 624, 1.555),
	"A100 80GB PCIe": tera(19.5, 19.5, 156, 312, 0, 624, 1.935),
	"A100-PCIE-40GB": tera(19.5, 19.5, 156, 312, 0, 624, 1.555),
	// A30, A10 (2021) and A40 (2020) data sheets
	"A30": tera(0, 10.3, 0, 165, 0, 330, 0.933),
	"A40": tera(0, 37.4, 74.8, 149.7, 0, 299.3, 0.696),
	"A10": tera(0, 31.2, 0, 125, 0, 250, 0.6),
	// L40S and L4 data sheets (2023)
	"L40S": tera(0, 91.6, 183, 362.05, 733, 733, 0.864),
	"L4":   tera(0, 30.3, 60, 121, 242.5, 242.5, 0.3),
	// V100 Tensor Core GPU data sheet (2020), and T4 Tensor Core GPU data sheet (2019)
	"V100-SXM2-16GB":  tera(7.8, 15.7, 0, 125, 0, 0, 0.9),
	"V100-SXM2-32GB":  tera(7.8, 15.7, 0, 125, 0, 0, 0.9),
	"V100-PCIE-16GB":  tera(7, 14, 0, 112, 0, 0, 0.9),
	"V100-PCIE-32GB":  tera(7, 14, 0, 112, 0, 0, 0.9),
	"V100S-PCIE-32GB": tera(8.2, 16.4, 0, 130, 0, 0, 1.134),
	"T4":              tera(0, 8.1, 0, 65, 0, 130, 0.3),
	// AMD CDNA 4 Architecture white paper (2025), table 2
	"MI355X": tera(78.6, 157.3, 0, 2516.6, 5033.2, 5033.2, 8),
	"MI350X": tera(72.1, 144.2, 0, 2306.9, 4613.7, 4613.7, 8),
	// AMD Instinct MI325X (2024) and MI300X (2023) data sheets
	"MI325X": tera(163.4, 163.4, 653.7, 1307.4, 2614.9, 2614.9, 6),
	"MI300X": tera(163.4, 163.4, 653.7, 1307.4, 2614.9, 2614.9, 5.3),
	// AMD Instinct MI200 series (2021) and MI210 (2022) data sheets
	"MI250X": tera(47.85, 47.85, 0, 191.5, 0, 191.5, 1.6384),
	"MI250":  tera(45.25, 45.25, 0, 181.05, 0, 181.05, 1.6384),
	"MI210":  tera(45.3, 45.3, 0, 181, 0, 181, 1.6384),
}
