#include "textflag.h"

// PART tests 16 counters at offset off of a line: X0 keeps all ones for bytes that are zero or clamping to the range
// from low to high does not change.
#define PART(off) \
	MOVOU   off(R8), X1 \
	MOVOU   off(R9), X2 \
	MOVOU   off(R14), X3 \
	PMAXUB  X1, X2 \
	PMINUB  X3, X2 \
	PCMPEQB X1, X2 \
	PCMPEQB X7, X1 \
	POR     X2, X1 \
	PAND    X1, X0

// func quietLinesSSE2(counters, low, high, hot *uint64, words int, loud *int32) (n int)
TEXT ·quietLinesSSE2(SB), NOSPLIT, $0-56
	MOVQ counters+0(FP), DI
	MOVQ low+8(FP), SI
	MOVQ high+16(FP), R15
	MOVQ hot+24(FP), BX
	MOVQ words+32(FP), CX
	MOVQ loud+40(FP), DX
	MOVQ DX, R13
	XORQ R10, R10            // number of the first line of the current word of hot
	PXOR X7, X7

word:
	TESTQ CX, CX
	JZ    done
	MOVQ  (BX), AX

line:
	TESTQ AX, AX
	JZ    next
	BSFQ  AX, R11
	LEAQ  -1(AX), R12
	ANDQ  R12, AX            // clear the lowest bit
	ADDQ  R10, R11           // line number
	MOVQ  R11, R12
	SHLQ  $6, R12
	LEAQ  (DI)(R12*1), R8
	LEAQ  (SI)(R12*1), R9
	LEAQ  (R15)(R12*1), R14
	PCMPEQB X0, X0
	PART(0)
	PART(16)
	PART(32)
	PART(48)
	PMOVMSKB X0, R12
	CMPL  R12, $0xffff
	JNE   differs
	MOVOU X7, 0(R8)
	MOVOU X7, 16(R8)
	MOVOU X7, 32(R8)
	MOVOU X7, 48(R8)
	JMP   line

differs:
	MOVL R11, (DX)
	ADDQ $4, DX
	JMP  line

next:
	ADDQ $8, BX
	ADDQ $64, R10
	DECQ CX
	JMP  word

done:
	SUBQ R13, DX
	SHRQ $2, DX
	MOVQ DX, n+48(FP)
	RET

// WIDE tests 32 counters at offset off of the line at R12 as PART does 16; the result is in register out.
#define WIDE(off, in, out) \
	VMOVDQU   off(DI)(R12*1), in \
	VPMAXUB   off(SI)(R12*1), in, out \
	VPMINUB   off(R15)(R12*1), out, out \
	VPCMPEQB  in, out, out \
	VPCMPEQB  in, Y7, in \
	VPOR      in, out, out

// func quietLinesAVX2(counters, low, high, hot *uint64, words int, loud *int32) (n int)
TEXT ·quietLinesAVX2(SB), NOSPLIT, $0-56
	MOVQ counters+0(FP), DI
	MOVQ low+8(FP), SI
	MOVQ high+16(FP), R15
	MOVQ hot+24(FP), BX
	MOVQ words+32(FP), CX
	MOVQ loud+40(FP), DX
	MOVQ DX, R13
	XORQ R10, R10            // offset of the first line of the current word of hot
	VPXOR Y7, Y7, Y7

word2:
	TESTQ CX, CX
	JZ    done2
	MOVQ  (BX), AX
	TESTQ AX, AX
	JZ    next2

line2:
	TZCNTQ AX, R12
	SHLQ  $6, R12
	ADDQ  R10, R12           // offset of the line
	WIDE(0, Y0, Y1)
	WIDE(32, Y2, Y3)
	VPAND Y1, Y3, Y1
	VPMOVMSKB Y1, R8
	CMPL  R8, $-1
	JNE   differs2
	VMOVDQU Y7, 0(DI)(R12*1)
	VMOVDQU Y7, 32(DI)(R12*1)
	BLSRQ AX, AX             // clear the lowest bit
	JNZ   line2

next2:
	ADDQ $8, BX
	ADDQ $4096, R10
	DECQ CX
	JMP  word2

differs2:
	SHRQ $6, R12
	MOVL R12, (DX)
	ADDQ $4, DX
	BLSRQ AX, AX
	JNZ  line2
	JMP  next2

done2:
	VZEROUPPER
	SUBQ R13, DX
	SHRQ $2, DX
	MOVQ DX, n+48(FP)
	RET

// func hasAVX2() bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7              // highest leaf
	JLT  no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<27 | 1<<28), CX // OSXSAVE and AVX
	CMPL CX, $(1<<27 | 1<<28)
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $6, AX              // the system saves XMM and YMM
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<3 | 1<<5), BX   // BMI1 and AVX2
	CMPL BX, $(1<<3 | 1<<5)
	JNE  no
	MOVB $1, ret+0(FP)

no:
	RET

// func zeroLines(counters *uint64, n int) int
TEXT ·zeroLines(SB), NOSPLIT, $0-24
	MOVQ counters+0(FP), DI
	MOVQ n+8(FP), CX
	XORQ AX, AX
	PXOR X7, X7

again:
	CMPQ AX, CX
	JGE  end
	MOVOU (DI), X0
	MOVOU 16(DI), X1
	MOVOU 32(DI), X2
	MOVOU 48(DI), X3
	POR  X1, X0
	POR  X3, X2
	POR  X2, X0
	PCMPEQB X7, X0
	PMOVMSKB X0, R8
	CMPL R8, $0xffff
	JNE  end
	ADDQ $64, DI
	INCQ AX
	JMP  again

end:
	MOVQ AX, ret+16(FP)
	RET
