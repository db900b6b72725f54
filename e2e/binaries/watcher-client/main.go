// Reads a load-watcher through paypal/load-watcher's own Go client and prints, as JSON, what that has decoded.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/paypal/load-watcher/pkg/watcher/api"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: watcher-client URL"))
	}
	client, err := api.NewServiceClient(os.Args[1])
	if err != nil {
		fail(err)
	}
	metrics, err := client.GetLatestWatcherMetrics()
	if err != nil {
		fail(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(metrics); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
