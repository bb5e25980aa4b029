package finding

import "math"

// Round rounds to three decimals, so that reports are short and equal on every machine.
func Round(x float64) float64 { return math.Round(x*1000) / 1000 }
