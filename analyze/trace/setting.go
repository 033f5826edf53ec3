package trace

import (
	"slices"
	"strings"
)

// settings are the variables that change how a job runs without a change of its
// code, and that name no path, host, address or person. Their names are the keys
// of facts; nothing else of an environment is kept.
var settings = []string{
	"CUBLAS_WORKSPACE_CONFIG", "CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_DEVICE_ORDER", "CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING", "CUDNN_DETERMINISTIC",
	"FI_PROVIDER", "FI_EFA_USE_DEVICE_RDMA", "HSA_ENABLE_SDMA", "MKL_NUM_THREADS",
	"NCCL_ALGO", "NCCL_AVOID_RECORD_STREAMS", "NCCL_BUFFSIZE", "NCCL_COLLNET_ENABLE", "NCCL_CROSS_NIC", "NCCL_CUMEM_ENABLE", "NCCL_DEBUG",
	"NCCL_IB_DISABLE", "NCCL_IB_GID_INDEX", "NCCL_IB_QPS_PER_CONNECTION", "NCCL_IB_SL", "NCCL_IB_SPLIT_DATA_ON_QPS", "NCCL_IB_TC", "NCCL_IB_TIMEOUT",
	"NCCL_LAUNCH_MODE", "NCCL_MAX_CTAS", "NCCL_MAX_NCHANNELS", "NCCL_MIN_CTAS", "NCCL_MIN_NCHANNELS", "NCCL_NCHANNELS_PER_NET_PEER", "NCCL_NET",
	"NCCL_NET_GDR_LEVEL", "NCCL_NET_GDR_READ", "NCCL_NTHREADS", "NCCL_NVLS_ENABLE", "NCCL_P2P_DISABLE", "NCCL_P2P_LEVEL", "NCCL_PROTO", "NCCL_PXN_DISABLE",
	"NCCL_SHM_DISABLE", "NCCL_SOCKET_NTHREADS", "NCCL_NSOCKS_PERTHREAD", "NCCL_TREE_THRESHOLD", "NVIDIA_TF32_OVERRIDE", "OMP_NUM_THREADS", "PYTORCH_CUDA_ALLOC_CONF",
	"PYTORCH_NVML_BASED_CUDA_CHECK", "PYTORCH_TUNABLEOP_ENABLED", "TORCHINDUCTOR_MAX_AUTOTUNE", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
	"TORCH_NCCL_ASYNC_ERROR_HANDLING", "TORCH_NCCL_AVOID_RECORD_STREAMS", "TORCH_NCCL_BLOCKING_WAIT", "TORCH_NCCL_ENABLE_MONITORING", "TORCH_NCCL_HIGH_PRIORITY",
}

// plain are the characters of values that are kept: numbers, switches and lists of
// names. A slash or an @ would be a path or an address.
const plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_:,^=[]"

// Setting returns the fact in an assignment NAME=value; false if the name is not one that is kept or the value is no
// plain one.
func Setting(assignment string) (Fact, bool) {
	name, value, ok := strings.Cut(assignment, "=")
	name, value = strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"`)
	if _, known := slices.BinarySearch(sortedSettings, name); !ok || !known || value == "" || len(value) > 80 || strings.Trim(value, plain) != "" {
		return Fact{}, false
	}
	return Fact{Key: name, Value: value}, true
}

var sortedSettings = slices.Sorted(slices.Values(settings))

// IsSetting reports whether a fact's key is a setting.
func IsSetting(key string) bool {
	_, ok := slices.BinarySearch(sortedSettings, key)
	return ok
}
