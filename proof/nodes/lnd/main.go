// Command lnd runs lnd as a library, so that its own command line decides everything. `go install` refuses lnd itself,
// because of the replace lines of its go.mod.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/jessevdk/go-flags"
	"github.com/lightningnetwork/lnd"
	"github.com/lightningnetwork/lnd/signal"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	interceptor, err := signal.Intercept()
	if err != nil {
		return err
	}
	config, err := lnd.LoadConfig(interceptor)
	if err != nil {
		var usage *flags.Error
		if errors.As(err, &usage) && usage.Type == flags.ErrHelp {
			return nil
		}
		return fmt.Errorf("lnd does not understand its configuration: %w", err)
	}
	return lnd.Main(config, lnd.ListenerCfg{}, config.ImplementationConfig(interceptor), interceptor)
}
