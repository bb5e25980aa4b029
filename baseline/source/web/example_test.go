package web_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// A fetcher that is offline asks no server. No error shows a credential.
func ExampleFetcher_Document() {
	f := web.Fetcher{HTTP: web.NewClient(nil, nil, 0), Offline: true}
	_, err := f.Document(context.Background(), "https://ada:secret@example.com/index?token=secret")
	_, offline := errors.AsType[*web.OfflineError](err)
	fmt.Println(offline, err)
	// Output:
	// true fetch "https://example.com/index": it is not on this machine, and the network is switched off
}
