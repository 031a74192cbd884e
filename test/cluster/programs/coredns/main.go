// Command coredns is CoreDNS' own server, built from its published module.
package main

import (
	_ "github.com/coredns/coredns/core/plugin"
	"github.com/coredns/coredns/coremain"
)

func main() {
	coremain.Run()
}
