package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// readmePicture is the first screen of the demo's report, as the README shows it.
const readmePicture = goldenDir + "/" + demoStory + "/report.png"

// TestGoldenPicture: the README's picture is of the page that the program writes now. A picture
// holds the words of the first screen that it is of; PERFDIFF_GOLDEN=update takes it anew.
func TestGoldenPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	var stdout, stderr bytes.Buffer
	run(context.Background(), append(sides(writeStory(t, demoStory, synth.Nsight)), "-q", "-o", path), &stdout, &stderr)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	want := firstWords(string(page))
	picture, err := os.ReadFile(readmePicture)
	if err != nil {
		t.Fatal(err)
	}
	if wordsIn(picture) == want {
		return
	}
	if os.Getenv("PERFDIFF_GOLDEN") != "update" {
		t.Fatalf("%s is of another page: make golden takes it anew\ngot  %q\nwant %q", readmePicture, wordsIn(picture), want)
	}
	taken, err := os.ReadFile(photograph(t, path))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(readmePicture, withWords(taken, want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// firstWords is the text of a page's first screen, in one line.
func firstWords(page string) string {
	_, page, _ = strings.Cut(page, "<h1")
	page, _, _ = strings.Cut(page, `<div class="bar `)
	text := spacesPlain.Replace(html.UnescapeString(pageTag.ReplaceAllString("<h1"+page, " ")))
	return strings.Join(strings.Fields(text), " ")
}

// photograph is the first screen of a page as Chromium shows it, a PNG file.
func photograph(t *testing.T, page string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report.png")
	cmd := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=8000",
		"--window-size=1440,900", "--user-data-dir="+t.TempDir(), "--screenshot="+out, "file://"+page)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// pngHead is how many bytes of a PNG file stand before the first chunk behind its header.
const pngHead = 8 + 12 + 13

// pictureWords is the keyword of the text in a picture, with its end.
const pictureWords = "Description\x00"

// withWords is a PNG file with a text, in the chunk for international texts behind its header.
func withWords(picture []byte, text string) []byte {
	body := "iTXt" + pictureWords + "\x00\x00\x00\x00" + text
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	chunk = append(chunk, body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE([]byte(body)))
	return bytes.Join([][]byte{picture[:pngHead], chunk, picture[pngHead:]}, nil)
}

// wordsIn is the text in a PNG file; "" it has none.
func wordsIn(picture []byte) string {
	start := []byte("iTXt" + pictureWords + "\x00\x00\x00\x00")
	if len(picture) < pngHead+8 || !bytes.HasPrefix(picture[pngHead+4:], start) {
		return ""
	}
	n := int(binary.BigEndian.Uint32(picture[pngHead:]))
	if n < len(start)-4 || pngHead+8+n > len(picture) {
		return ""
	}
	return string(picture[pngHead+4+len(start) : pngHead+8+n])
}

// TestPictureWords: what is written into a picture is read from it, and one without has none.
func TestPictureWords(t *testing.T) {
	plain := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR1234567890123crcx"), "\x00\x00\x00\x00IEND...."...)
	if got := wordsIn(withWords(plain, "−53 % faster")); got != "−53 % faster" {
		t.Errorf("got %q", got)
	}
	if got := wordsIn(plain) + wordsIn(nil); got != "" {
		t.Errorf("without a text: got %q", got)
	}
}
