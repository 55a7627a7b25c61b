FLAGS = -Xcompiler -Xcompiler -G -Xcompiler -lcudart
