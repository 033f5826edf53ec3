package render

import (
	"io"

	"perfdiff/diff"
	"perfdiff/render/picture"
)

// writeSVG writes the answer with its first picture, for mail and for pages that show pictures.
func writeSVG(w io.Writer, r *diff.Report, _ Options) error {
	_, err := w.Write(replaceInvisible(picture.File(r), replacementMark))
	return err
}
