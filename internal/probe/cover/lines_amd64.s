#include "textflag.h"

// PART tests 16 counters at offset off of a line: X0 keeps all ones for bytes that are zero or equal to seen.
#define PART(off) \
	MOVOU   off(R8), X1 \
	MOVOU   off(R9), X2 \
	PCMPEQB X1, X2 \
	PCMPEQB X7, X1 \
	POR     X2, X1 \
	PAND    X1, X0

// func quietLines(counters, seen, hot *uint64, words int, loud *int32) (n int)
TEXT ·quietLines(SB), NOSPLIT, $0-48
	MOVQ counters+0(FP), DI
	MOVQ seen+8(FP), SI
	MOVQ hot+16(FP), BX
	MOVQ words+24(FP), CX
	MOVQ loud+32(FP), DX
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
	MOVQ DX, n+40(FP)
	RET
