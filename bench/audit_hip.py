#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels in HIP as people write them, compiled by clang for gfx942 and gfx950 without a GPU: each right, and with one thing
wrong (-DBROKEN). `swp audit` may call none of the right ones a fault, and none of the wrong ones `no_fault`.

    SWP=path/to/swp audit_hip.py [FOLDER]    also leaves the assembly in FOLDER
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

SWP = os.environ.get("SWP", "build/release/swp")
CLANG = os.environ.get("CLANG", "clang-22")

HEAD = r"""
#define GLOBAL __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(N,N)))
#define SH static __attribute__((shared))
#define TID ((int)__builtin_amdgcn_workitem_id_x())
#define WG ((int)__builtin_amdgcn_workgroup_id_x())
#define SYNC() do { __builtin_amdgcn_fence(__ATOMIC_RELEASE,"workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE,"workgroup"); } while(0)
#ifdef BROKEN
#define MAYBE()
#define PICK(a,b) (b)
#else
#define MAYBE() SYNC()
#define PICK(a,b) (a)
#endif
#ifndef N
#define N 256
#endif
"""

KERNELS = {
    "dbuf": r"""
SH float s[2][N];
GLOBAL void k(const float*a,float*b,int n){ float t=0; int p=0; s[0][TID]=a[TID];
 for(int i=1;i<n;i++){ SYNC(); s[PICK(1-p,p)][TID]=a[i*N+TID]; t+=s[p][(TID+64)&(N-1)]; p=1-p; } b[TID]=t; }
""",
    "dbuf3": r"""
SH float s[3][N];
GLOBAL void k(const float*a,float*b,int n){ float t=0; int p=0; s[0][TID]=a[TID]; s[1][TID]=a[N+TID];
 for(int i=2;i<n;i++){ SYNC(); int w=p+PICK(2,3); if(w>=3)w-=3; t+=s[p][(TID+64)&(N-1)]; s[w][TID]=a[i*N+TID]; p=p==2?0:p+1; } b[TID]=t; }
""",
    "early": r"""
SH float s[N];
GLOBAL void k(const float*a,float*b,int n){ int w=__builtin_amdgcn_readfirstlane(TID>>6); if(w>=2) return; 
 s[TID]=a[TID]; MAYBE(); b[TID]=s[127-TID]; }
""",
    "early_args": r"""
SH float s[N];
GLOBAL void k(const float*a,float*b,int n){ int w=__builtin_amdgcn_readfirstlane(TID>>6); if(w*64>=n) return; 
 s[TID]=a[TID]; MAYBE(); b[TID]=s[TID^64]; }
""",
    "flagged": r"""
SH float s[N]; 
GLOBAL void k(const float*a,const int*f,float*b,int n){ for(int i=0;i<n;i++){ if(f[i]){ s[TID]=a[i*N+TID]; SYNC(); b[i*N+TID]=s[TID^128]; MAYBE(); } } }
""",
    "gemm": r"""
SH float A[16][16]; SH float B[16][16];
GLOBAL void k(const float*a,const float*b,float*c,int n){ int x=TID&15,y=TID>>4; float t=0;
 for(int i=0;i<n;i+=16){ A[y][x]=a[y*n+i+x]; B[y][x]=b[(i+y)*n+x]; SYNC(); for(int j=0;j<16;j++) t+=A[y][j]*B[j][x]; MAYBE(); }
 c[y*n+x]=t; }
""",
    "gemm1": r"""
SH float A[16][17]; SH float B[16][17];
GLOBAL void k(const float*a,const float*b,float*c,int n){ int x=TID&15,y=TID>>4; float t=0;
 for(int i=0;i<n;i+=16){ A[y][x]=a[y*n+i+x]; B[y][x]=b[(i+y)*n+x]; MAYBE(); for(int j=0;j<16;j++) t+=A[y][j]*B[j][x]; SYNC(); }
 c[y*n+x]=t; }
""",
    "halo": r"""
SH float s[N+2];
GLOBAL void k(const float*a,float*b){ s[TID+1]=a[WG*N+TID+1]; if(TID<2) s[TID*(N+1)]=a[WG*N+TID*(N+1)]; MAYBE(); b[WG*N+TID]=s[TID]+s[TID+1]+s[TID+2]; }
""",
    "hist": r"""
SH unsigned h[256];
GLOBAL void k(const unsigned char*a,unsigned*b,int n){ h[TID]=0; MAYBE(); for(int i=TID;i<n;i+=N) __hip_atomic_fetch_add(&h[a[i]],1u,__ATOMIC_RELAXED,3); SYNC(); __hip_atomic_fetch_add(&b[TID],h[TID],__ATOMIC_RELAXED,4); }
""",
    "hist2": r"""
SH unsigned h[256];
GLOBAL void k(const unsigned char*a,unsigned*b,int n){ h[TID]=0; SYNC(); for(int i=TID;i<n;i+=N) __hip_atomic_fetch_add(&h[a[i]],1u,__ATOMIC_RELAXED,3); MAYBE(); b[TID]=h[255-TID]; }
""",
    "lds_copy": r"""
SH float s[N];
typedef __attribute__((address_space(3))) void* L; typedef __attribute__((address_space(1))) void* P;
GLOBAL void k(const float*a,float*b){ int w=__builtin_amdgcn_readfirstlane(TID>>6);
 __builtin_amdgcn_global_load_lds((P)(a+TID),(L)(s+w*64),4,0,0);
#ifndef BROKEN
 __builtin_amdgcn_s_waitcnt(0x0f70);
#endif
 __builtin_amdgcn_s_barrier(); b[TID]=s[TID^64]; }
""",
    "own": r"""
SH float s[N];
GLOBAL void k(const float*a,float*b){ s[TID]=a[TID]; __builtin_amdgcn_wave_barrier(); b[TID]=s[PICK(TID^63,TID^64)]; }
""",
    "rawbar": r"""
SH float s[N];
GLOBAL void k(const float*a,float*b){ s[TID]=a[TID]; 
#ifndef BROKEN
 __builtin_amdgcn_s_waitcnt(0xc07f);
#endif
 __builtin_amdgcn_s_barrier(); b[TID]=s[TID^64]; }
""",
    "reduce": r"""
SH float s[N];
GLOBAL void k(const float*a,float*b){ s[TID]=a[WG*N+TID]; SYNC();
 for(int d=N/2;d>0;d>>=1){ if(TID<d) s[TID]+=s[TID+d]; MAYBE(); } if(TID==0) b[WG]=s[0]; }
""",
    "reduce_wave": r"""
SH volatile float s[N];
GLOBAL void k(const float*a,float*b){ s[TID]=a[WG*N+TID]; SYNC();
 for(int d=N/2;d>PICK(32,64);d>>=1){ if(TID<d) s[TID]+=s[TID+d]; SYNC(); }
 if(TID<64){ 
#ifdef BROKEN
 s[TID]+=s[TID+64];
 }
 if(TID>=64&&TID<128) s[TID]=1; if(TID<64) {
#endif
  s[TID]+=s[(TID+32)&63]; s[TID]+=s[(TID+16)&63]; if(TID==0) b[WG]=s[0]; } }
""",
    "scan": r"""
SH float s[2][N];
GLOBAL void k(const float*a,float*b){ int p=0; s[0][TID]=a[WG*N+TID]; 
 for(int d=1;d<N;d<<=1){ MAYBE(); float v=s[p][TID]; if(TID>=d) v+=s[p][TID-d]; p=1-p; s[p][TID]=v; } b[WG*N+TID]=s[p][TID]; }
""",
    "scan1": r"""
SH float s[N];
GLOBAL void k(const float*a,float*b){ s[TID]=a[WG*N+TID]; SYNC();
 for(int d=1;d<N;d<<=1){ float v=s[TID]; if(TID>=d) v+=s[TID-d]; MAYBE(); s[TID]=v; SYNC(); } b[WG*N+TID]=s[TID]; }
""",
    "sort": r"""
SH int s[N];
GLOBAL void k(int*a){ s[TID]=a[TID]; SYNC();
 for(int k=2;k<=N;k<<=1) for(int j=k>>1;j>0;j>>=1){ int o=TID^j; if(o>TID){ int x=s[TID],y=s[o]; if((x>y)==!(TID&k)){ s[TID]=y; s[o]=x; } } MAYBE(); } a[TID]=s[TID]; }
""",
    "spec": r"""
SH float s[2][128];
GLOBAL void k(const float*a,float*b,int n){ int w=__builtin_amdgcn_readfirstlane(TID>>6); int l=TID&127; float t=0;
 if(w<2){ for(int i=0;i<n;i++){ s[i&1][l]=a[i*128+l]; SYNC(); } MAYBE(); }
 else { 
#ifdef BROKEN
   t+=s[1][127-l];
#endif
   for(int i=0;i<n;i++){ SYNC(); t+=s[i&1][127-l]; } 
#ifndef BROKEN
   SYNC();
#endif
 } 
 if(w>=2) b[l]=t; }
""",
    "ticket": r"""
SH int s; 
GLOBAL void k(int*a,float*b,int n){ for(;;){ if(TID==0) s=__hip_atomic_fetch_add(a,1,__ATOMIC_RELAXED,4); SYNC(); int i=s; MAYBE(); if(i>=n) break; b[i*N+TID]+=1; } }
""",
    "tile": r"""
SH float s[N];
GLOBAL void k(const float*a,float*b){ s[TID]=a[WG*N+TID]; MAYBE(); b[WG*N+TID]=s[N-1-TID]; }
""",
    "transpose": r"""
SH float s[32][33];
GLOBAL void k(const float*a,float*b,int n){ int x=TID&31,y=TID>>5; for(int i=0;i<32;i+=8) s[y+i][x]=a[(y+i)*n+x]; MAYBE(); for(int i=0;i<32;i+=8) b[(y+i)*n+x]=s[x][y+i]; }
""",
    "asyncpipe": r"""
SH float s[2][N];
typedef __attribute__((address_space(3))) void* L; typedef __attribute__((address_space(1))) void* P;
GLOBAL void k(const float*a,float*b,int n){ int w=__builtin_amdgcn_readfirstlane(TID>>6); float t=0;
 __builtin_amdgcn_global_load_lds((P)(a+TID),(L)(&s[0][w*64]),4,0,0);
 for(int i=0;i<n;i++){ __builtin_amdgcn_s_waitcnt(0x0f70); __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_global_load_lds((P)(a+(i+1)*N+TID),(L)(&s[PICK((i+1)&1,i&1)][w*64]),4,0,0);
  t+=s[i&1][TID^64]; 
  __builtin_amdgcn_s_waitcnt(0xc07f); __builtin_amdgcn_s_barrier(); } b[TID]=t; }
""",
    "big": r"""
#undef N
#define N 1024
SH float s[N]; SH float r[16];
GLOBAL void k(const float*a,float*b){ float v=a[WG*N+TID]; for(int d=32;d;d>>=1) v+=__builtin_bit_cast(float,__builtin_amdgcn_ds_bpermute(((TID&63)^d)<<2,__builtin_bit_cast(int,v)));
 if((TID&63)==0) r[TID>>6]=v; MAYBE(); float t=0; for(int i=0;i<16;i++) t+=r[i]; b[WG*N+TID]=t; }
""",
    "cond_write": r"""
SH float s[N];
GLOBAL void k(const float*a,float*b,int n){ s[TID]=0; MAYBE(); if(TID<100) s[(TID*2)&255]=a[TID]; SYNC(); b[TID]=s[255-TID]; }
""",
    "dyn": r"""
extern __attribute__((shared)) float s[];
GLOBAL void k(const float*a,float*b){ s[TID]=a[TID]; s[N+TID]=a[N+TID]; MAYBE(); b[TID]=s[TID^64]+s[N+(TID^128)]; }
""",
    "max_arg": r"""
SH int m; 
GLOBAL void k(const int*a,int*b){ if(TID==0) m=-1; MAYBE(); __hip_atomic_fetch_max(&m,a[TID],__ATOMIC_RELAXED,3); SYNC(); b[TID]=m; }
""",
    "mfma": r"""
typedef float f4 __attribute__((ext_vector_type(4))); typedef _Float16 h4 __attribute__((ext_vector_type(4)));
SH h4 A[2][256]; SH h4 B[2][256];
GLOBAL void k(const h4*a,const h4*b,f4*c,int n){ f4 t={0,0,0,0}; int w=TID>>6,l=TID&63; A[0][TID]=a[TID]; B[0][TID]=b[TID]; SYNC();
 for(int i=0;i<n;i++){ int p=i&1; h4 x=a[(i+1)*256+TID],y=b[(i+1)*256+TID];
  for(int j=0;j<4;j++) t=__builtin_amdgcn_mfma_f32_16x16x16f16(A[p][j*64+l],B[p][((w+j)&3)*64+l],t,0,0,0);
  A[PICK(1-p,p)][TID]=x; B[1-p][TID]=y; SYNC(); } c[TID]=t; }
""",
    "minibatch": r"""
SH float s[4][64];
GLOBAL void k(const float*a,float*b,int n){ int w=TID>>6,l=TID&63; float t=0; for(int i=0;i<n;i++){ s[w][l]=a[i*N+TID]; __builtin_amdgcn_wave_barrier(); 
  t+=s[PICK(w,w^1)][l^1]; __builtin_amdgcn_wave_barrier(); } b[TID]=t; }
""",
    "rotate3": r"""
SH float s[3*N];
GLOBAL void k(const float*a,float*b,int n){ float t=0; int r=0,w=2*N; s[TID]=a[TID]; s[N+TID]=a[N+TID];
 for(int i=2;i<n;i++){ SYNC(); float x=a[i*N+TID]; t+=s[r+(TID^64)]; s[PICK(w,r)+TID]=x; w=w==2*N?0:w+N; r=r==2*N?0:r+N; } b[TID]=t; }
""",
    "swap_buf": r"""
SH float x[N]; SH float y[N];
GLOBAL void k(const float*a,float*b,int n){ __attribute__((address_space(3))) float *p=(__attribute__((address_space(3))) float*)x,*q=(__attribute__((address_space(3))) float*)y; p[TID]=a[TID]; SYNC();
 for(int i=0;i<n;i++){ q[TID]=p[(TID+1)&255]*0.5f; MAYBE(); __attribute__((address_space(3))) float*t=p; p=q; q=t; } SYNC(); b[TID]=p[TID^128]; }
""",
    "two_phase": r"""
SH int cnt[4]; SH int off[4]; SH int out[N];
GLOBAL void k(const int*a,int*b){ int w=TID>>6,l=TID&63; int p=a[TID]>0; unsigned long m=__builtin_amdgcn_ballot_w64(p); if(l==0) cnt[w]=__builtin_popcountl(m); SYNC();
 if(TID==0){ int t=0; for(int i=0;i<4;i++){ off[i]=t; t+=cnt[i]; } } MAYBE();
 b[TID]=off[w]+p; }
""",
    "vec": r"""
typedef float f4 __attribute__((ext_vector_type(4)));
SH f4 s[N];
GLOBAL void k(const f4*a,float*b){ s[TID]=a[TID]; MAYBE(); float t=0; for(int i=0;i<4;i++) t+=((float*)s)[i*N+TID]; b[TID]=t; }
""",
}


def compile_kernel(name, arch, broken, path):
    source = path[:-2] + ".hip"
    with open(source, "w", encoding="utf-8") as file:
        file.write(HEAD + KERNELS[name])
    subprocess.run([CLANG, "-x", "hip", "--offload-device-only", "-nogpulib", "-nogpuinc", "-S", "-O2", "-w", f"--offload-arch={arch}",
                    *(["-DBROKEN"] if broken else []), source, "-o", path], check=True)


def answer_of(path):
    done = subprocess.run([SWP, "audit", path, "--format", "json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)["answer"] if done.stdout else "refused"


def main(folder):
    counts, wrong = collections.Counter(), []
    os.makedirs(folder, exist_ok=True)
    for name in KERNELS:
        for arch in ("gfx942", "gfx950"):
            for broken in (False, True):
                kind = "broken" if broken else "right"
                path = os.path.join(folder, f"{name}_{arch}_{kind}.s")
                compile_kernel(name, arch, broken, path)
                answer = answer_of(path)
                counts[kind, answer] += 1
                if answer == ("no_fault" if broken else "fault"):
                    wrong.append(path)
                if answer not in ("no_fault", "fault"):
                    print(f"{answer}: {path}")
    for (kind, answer), count in sorted(counts.items()):
        print(f"{count:4} {kind}: {answer}")
    for path in wrong:
        print(f"WRONG {path}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(sys.argv[1]))
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(main(scratch))
