	.text
main:
	.cfi_startproc
	pushq %rbp
	movq %rsp, %rbp
	ret
