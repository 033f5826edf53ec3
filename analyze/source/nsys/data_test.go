package nsys

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

func TestShow(t *testing.T) {
	files, _ := filepath.Glob("../../../../shared/data/nsys/*.sqlite")
	for _, f := range files {
		traces, err := Read(context.Background(), f, nil)
		if err != nil {
			fmt.Println("ERR", err)
			continue
		}
		for _, x := range traces {
			fmt.Printf("%s %+v\n dev %d ranges %d api %d os %d acc %d sync %d rec %b cap %v epoch %d\n facts %v\n warn %v lost %v names %d\n", x.File, x.Identity, len(x.Device), len(x.Ranges), len(x.API), len(x.OS), len(x.Access), len(x.Syncs), x.Recorded, x.Capture, x.Epoch, x.Facts, x.Warnings, x.Lost, x.Names.Len())
		}
	}
}
