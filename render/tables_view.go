package render

import (
	"context"

	"perfdiff/render/table"
)

// views are the queries that people ask first of a database.
var views = []table.View{
	{
		Name: "worst_steps", Doc: "the steps that take longest beside the median step of their run, the worst first",
		Columns: []string{"steps.step_time_s", "runs.step_time_s"},
		Query: `SELECT s.side, s.run, s.rank, s.step, s.step_time_s, s.step_time_s - r.step_time_s AS longer_s
			FROM steps s JOIN runs r ON r.side = s.side AND r.run = s.run
			WHERE s.left_out IS NULL AND s.step_time_s IS NOT NULL
			ORDER BY longer_s DESC, s.side, s.run, s.rank, s.step`,
	},
	{
		Name: "kernel_changes", Doc: "each kernel with both sides in a row, by the size of the change",
		Columns: []string{"kernels.delta_s"},
		Query: `SELECT kernel, class, family, MAX(CASE side WHEN 'baseline' THEN time_s END) AS baseline_s,
			MAX(CASE side WHEN 'candidate' THEN time_s END) AS candidate_s, delta_s, by_calls_s, by_slower_s, change_ratio, q, beyond_noise
			FROM kernels WHERE others = 0 GROUP BY kernel, class, family ORDER BY ABS(delta_s) DESC, kernel`,
	},
	{
		Name: "late_ranks", Doc: "the ranks that others wait for in collectives, the one that costs most first",
		Columns: []string{"rank_waits.caused_wait_s"},
		Query: `SELECT side, rank, host, caused_wait_s, last_share_ratio, longer_compute_s, longer_input_s, longer_host_s
			FROM rank_waits WHERE rank IS NOT NULL ORDER BY caused_wait_s DESC, side, rank`,
	},
}

// WriteSQLite writes the tables into a new database at path, with views of what people ask first.
func (t *Tables) WriteSQLite(ctx context.Context, path string) error {
	return table.WriteSQLite(ctx, path, t.All(), views, t.Policy())
}
