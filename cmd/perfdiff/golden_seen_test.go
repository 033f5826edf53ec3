package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// countSeen returns how much of a finished page a reader sees without opening anything: words, and tables.
// What is folded does not count, nor what a switch hides, choices of a list, labels in pictures,
// the list of sections, or what is for paper.
func countSeen(page []byte) (words, tables int, err error) {
	d := xml.NewDecoder(bytes.NewReader(notText.ReplaceAll(page, nil)))
	d.Strict, d.Entity, d.AutoClose = false, xml.HTMLEntity, xml.HTMLAutoClose
	s := &seen{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return s.words, s.tables, nil
		}
		if err != nil {
			return 0, 0, fmt.Errorf("the page: %w", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			s.open(e)
		case xml.EndElement:
			s.at = s.at[:len(s.at)-1]
		case xml.CharData:
			if len(s.at) > 0 && s.at[len(s.at)-1].shown {
				s.words += len(strings.Fields(string(e)))
			}
		}
	}
}

// seen is the count in the making.
type seen struct {
	words, tables int
	at            []shownPlace // open elements
	panels        int          // of this section
}

// shownPlace is an open element: whether it is shown, and what it holds but for a line that opens it.
type shownPlace struct{ shown, holds bool }

func (s *seen) open(e xml.StartElement) {
	up := shownPlace{true, true}
	if len(s.at) > 0 {
		up = s.at[len(s.at)-1]
	}
	name, attr := e.Name.Local, map[string]string{}
	for _, a := range e.Attr {
		attr[a.Name.Local] = a.Value
	}
	_, hidden := attr["hidden"]
	this := shownPlace{shown: up.holds && !hidden, holds: up.holds && !hidden}
	switch {
	case name == "summary":
		this = shownPlace{up.shown, up.shown}
	case name == "section":
		s.panels = 0
	case attr["class"] == "panel":
		if s.panels++; s.panels > 1 { // the page's script shows one
			this = shownPlace{}
		}
	case name == "details":
		_, open := attr["open"]
		this.holds = this.shown && open
	case slices.Contains([]string{"option", "dialog", "noscript", "head", "svg", "nav"}, name), attr["class"] == "onpaper":
		this = shownPlace{}
	case name == "table" && this.shown:
		s.tables++
	}
	s.at = append(s.at, this)
}
