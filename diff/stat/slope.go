package stat

// Slope returns the slope of the least-squares line through values at equal distances, from one
// to the next; 0 of fewer than two.
func Slope(v []float64) float64 {
	mean, middle, xx, xy := Mean(v), float64(float64(len(v)-1)/2), 0.0, 0.0
	for i, y := range v {
		x := float64(i) - middle
		xx += float64(x * x)
		xy += float64(x * (y - mean))
	}
	if xx == 0 {
		return 0
	}
	return xy / xx
}
