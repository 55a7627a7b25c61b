"
()/nvcc