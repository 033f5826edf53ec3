package flop

// operators lists the operators that count, by name. Their arguments are in the order of PyTorch's
// native_functions.yaml; those of 2021 had other ones for convolutions. It holds composite operators as well as those
// that they call: of nested calls a reader counts the inner one.
var operators = map[string]*Operator{
	"aten::mm":                    {count: matrices(0)},
	"aten::addmm":                 {count: matrices(1)},
	"aten::_addmm_activation":     {count: matrices(1)},
	"aten::_scaled_mm":            {count: matrices(0)},
	"aten::_int_mm":               {count: matrices(0)},
	"aten::bmm":                   {count: batches(0)},
	"aten::baddbmm":               {count: batches(1)},
	"aten::mv":                    {count: vector(0)},
	"aten::addmv":                 {count: vector(1)},
	"aten::linear":                {count: linear},
	"aten::matmul":                {count: matmul},
	"aten::_grouped_mm":           {count: grouped},
	"aten::_scaled_grouped_mm":    {count: grouped},
	"vllm::rocm_unquantized_gemm": {count: linear},

	"aten::conv1d":                      {conv: &convForm{x: 0, w: 1, stride: 3, padding: 4, dilation: 5}},
	"aten::conv2d":                      {conv: &convForm{x: 0, w: 1, stride: 3, padding: 4, dilation: 5}},
	"aten::conv3d":                      {conv: &convForm{x: 0, w: 1, stride: 3, padding: 4, dilation: 5}},
	"aten::convolution":                 {conv: &convForm{x: 0, w: 1, stride: 3, padding: 4, dilation: 5, transposed: 6}},
	"aten::_convolution":                {conv: &convForm{x: 0, w: 1, stride: 3, padding: 4, dilation: 5, transposed: 6}},
	"aten::cudnn_convolution":           {conv: &convForm{x: 0, w: 1, padding: 2, stride: 3, dilation: 4}},
	"aten::miopen_convolution":          {conv: &convForm{x: 0, w: 1, padding: 3, stride: 4, dilation: 5}},
	"aten::convolution_backward":        {conv: &convForm{g: 0, x: 1, w: 2, backward: true, transposed: 7, mask: 10}},
	"aten::cudnn_convolution_backward":  {conv: &convForm{x: 0, g: 1, w: 2, backward: true}},
	"aten::miopen_convolution_backward": {conv: &convForm{x: 0, g: 1, w: 2, backward: true}},

	"aten::cudnn_convolution_backward_input":   {Gradient: OfInput},
	"aten::miopen_convolution_backward_input":  {Gradient: OfInput},
	"aten::cudnn_convolution_backward_weight":  {Gradient: OfFilter},
	"aten::miopen_convolution_backward_weight": {Gradient: OfFilter},

	"aten::scaled_dot_product_attention":                     {count: forwardAttention.at(5)},
	"aten::_scaled_dot_product_flash_attention":              {count: forwardAttention.at(4)},
	"aten::_scaled_dot_product_efficient_attention":          {count: forwardAttention.at(6)},
	"aten::_scaled_dot_product_cudnn_attention":              {count: forwardAttention.at(6)},
	"aten::_scaled_dot_product_flash_attention_backward":     {count: backwardAttention.at(11)},
	"aten::_scaled_dot_product_efficient_attention_backward": {count: backwardAttention.at(11)},
	"aten::_scaled_dot_product_cudnn_attention_backward":     {count: backwardAttention.at(14)},
	"flash_attn::_flash_attn_forward":                        {count: forwardAttention.rows(5)},
	"flash_attn::_flash_attn_backward":                       {count: backwardAttention.rows(11)},
}
