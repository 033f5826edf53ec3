package render

import (
	"context"
	"io"
	"strings"

	"perfdiff/diff/history"
	"perfdiff/render/html"
	"perfdiff/render/table"
)

// Jobs is what the runs of main show over time, of each job of a store, with the metric that is shown first.
type Jobs struct {
	All    []history.Job
	Metric string // "": the first of each job
	Store  string // as commands to paste name it; "": DIR
	Tool   string // name and version of the program
}

// jobsDocument is what programs read.
type jobsDocument struct {
	SchemaVersion string        `report:"schema_version"` // "1.0"; the first number changes with the meaning of a member
	Tool          string        `report:"tool"`
	Jobs          []history.Job `report:"jobs"`
}

// JSON writes everything that is known of the jobs: history.Job, whose comments are its field reference.
func (h *Jobs) JSON(w io.Writer) error {
	return writeIndented(w, &jobsDocument{"1.0", h.Tool, h.All})
}

// CSV writes a row for each run and metric.
func (h *Jobs) CSV(w io.Writer) error {
	t := h.rows()
	return table.WriteCSV(w, &t)
}

// SQLite writes the tables into a new database at path.
func (h *Jobs) SQLite(ctx context.Context, path string) error {
	return table.WriteSQLite(ctx, path, h.Tables(), nil, "")
}

// Page writes one page that has all jobs.
func (h *Jobs) Page(w io.Writer) error {
	return seenOnly(w, func(w io.Writer) error { return html.WriteJobs(w, h.pages()) })
}

// File is a file of a site, by its name in the site's directory.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// Site returns the files of a static site: index.html, which lists the jobs, and a page for each.
func (h *Jobs) Site() (files []File) {
	for _, f := range html.JobSite(h.pages()) {
		files = append(files, File{f.Name, func(w io.Writer) error { return seenOnly(w, f.Write) }})
	}
	return files
}

func (h *Jobs) pages() html.Jobs { return html.Jobs{All: h.All, Metric: h.Metric, Tool: h.Tool} }

// seenOnly writes what write writes, without characters that nobody sees.
func seenOnly(w io.Writer, write func(io.Writer) error) error {
	var page strings.Builder
	if err := write(&page); err != nil {
		return err
	}
	_, err := w.Write(replaceInvisible([]byte(page.String()), replacementMark))
	return err
}
