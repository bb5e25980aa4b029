package papers

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// chart is a plot of lines or points. It is drawn here, since a plotting library brings fonts and rasters. These are
// texts of some kilobytes whose bytes depend only on the numbers.
type chart struct {
	name, title, x, y string
	logX, logY        bool
	series            []series
}

// series is one line, or a cloud of points.
type series struct {
	name   string
	points [][2]float64
	dots   bool
	dashed bool
}

const (
	width, height          = 680, 400
	left, top, right, foot = 70, 40, 200, 50 // margins
)

var colours = []string{"#1f5fa8", "#c23b22", "#2a8a3e", "#8a4fb0", "#b87a00", "#3d8f9a", "#666666", "#d0568b"}

// axis maps values to positions.
type axis struct {
	min, max, from, to float64
	log                bool
}

func (a axis) at(v float64) float64 {
	lo, hi := a.min, a.max
	if a.log {
		lo, hi, v = math.Log10(lo), math.Log10(hi), math.Log10(v)
	}
	return a.from + (v-lo)/(hi-lo)*(a.to-a.from)
}

// ticks returns the values that are written at an axis.
func (a axis) ticks() (out []float64) {
	if a.log {
		for e := math.Floor(math.Log10(a.min)); e <= math.Ceil(math.Log10(a.max)); e++ {
			if v := math.Pow(10, e); v >= a.min*0.999 && v <= a.max*1.001 {
				out = append(out, v)
			}
		}
		return out
	}
	step := math.Pow(10, math.Floor(math.Log10(a.max-a.min)))
	for _, f := range []float64{0.2, 0.25, 0.5, 1} {
		if (a.max-a.min)/(step*f) <= 6 {
			step *= f
			break
		}
	}
	for v := math.Ceil(a.min/step) * step; v <= a.max+step/1e6; v += step {
		out = append(out, v)
	}
	return out
}

// span returns an axis that covers all points of a chart. A logarithmic axis omits values that are not above 0.
func (c chart) span(n int, log bool, from, to float64) axis {
	a := axis{math.Inf(1), math.Inf(-1), from, to, log}
	for _, s := range c.series {
		for _, p := range s.points {
			if log && p[n] <= 0 {
				continue
			}
			a.min, a.max = min(a.min, p[n]), max(a.max, p[n])
		}
	}
	switch {
	case math.IsInf(a.min, 1):
		a.min, a.max = 1, 10
	case log:
		a.min, a.max = math.Pow(10, math.Floor(math.Log10(a.min)+1e-9)), math.Pow(10, math.Ceil(math.Log10(a.max)-1e-9))
	default:
		a.min = min(a.min, 0)
	}
	if a.max == a.min {
		a.max = a.min + 1
		if log {
			a.max = a.min * 10
		}
	}
	return a
}

func (c chart) encode() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	text(&b, left, 22, style{"start", 14}, c.title)
	x, y := c.span(0, c.logX, left, width-right), c.span(1, c.logY, height-foot, top)
	for _, v := range x.ticks() {
		fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#dddddd"/>`+"\n", x.at(v), top, height-foot)
		text(&b, x.at(v), height-foot+16, style{"middle", 11}, number(v))
	}
	for _, v := range y.ticks() {
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#dddddd"/>`+"\n", left, y.at(v), width-right)
		text(&b, left-6, y.at(v)+4, style{"end", 11}, number(v))
	}
	text(&b, (left+width-right)/2, height-12, style{"middle", 12}, c.x)
	fmt.Fprintf(&b, `<text transform="translate(16 %d) rotate(-90)" text-anchor="middle" font-size="12">%s</text>`+"\n", (top+height-foot)/2, html.EscapeString(c.y))
	for i, s := range c.series {
		colour := colours[i%len(colours)]
		s.draw(&b, x, y, colour)
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="12" height="4" fill="%s"/>`+"\n", width-right+12, top+16*i+4, colour)
		text(&b, width-right+30, float64(top+16*i+10), style{"start", 11}, s.name)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func (s series) draw(b *strings.Builder, x, y axis, colour string) {
	var line []string
	for _, p := range s.points {
		if x.log && p[0] <= 0 || y.log && p[1] <= 0 {
			continue
		}
		if s.dots {
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`+"\n", x.at(p[0]), y.at(p[1]), colour)
			continue
		}
		line = append(line, fmt.Sprintf("%.1f,%.1f", x.at(p[0]), y.at(p[1])))
	}
	dash := ""
	if s.dashed {
		dash = ` stroke-dasharray="5 4"`
	}
	if len(line) > 0 {
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.6"%s/>`+"\n", strings.Join(line, " "), colour, dash)
	}
}

// style is how a text is set.
type style struct {
	anchor string // start, middle, end
	size   int
}

// text writes s at a point.
func text(b *strings.Builder, x, y float64, in style, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d">%s</text>`+"\n", x, y, in.anchor, in.size, html.EscapeString(s))
}

// number writes a tick.
func number(v float64) string {
	if v >= 1e6 {
		return fmt.Sprintf("%gM", v/1e6)
	}
	return fmt.Sprintf("%.4g", math.Round(v*1e6)/1e6)
}
