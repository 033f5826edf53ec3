package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"time"
)

// made is the time of every file: the one of building would differ each time. Zip knows none
// before 1980.
var made = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func (f *file) mode() int64 {
	if f.runs {
		return 0o755
	}
	return 0o644
}

// writeTarGz writes a compressed archive that names no user, no group and no time.
func writeTarGz(w io.Writer, files []file) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for i := range files {
		f := &files[i]
		h := &tar.Header{Name: f.name, Mode: f.mode(), Size: int64(len(f.text)), ModTime: made, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(f.text); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// writeZip writes an archive for Windows.
func writeZip(w io.Writer, files []file) error {
	z := zip.NewWriter(w)
	for i := range files {
		h := &zip.FileHeader{Name: files[i].name, Method: zip.Deflate, Modified: made}
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(files[i].text); err != nil {
			return err
		}
	}
	return z.Close()
}
