import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as ort from 'onnxruntime-node'
import { ProblemError } from '../cache/problems/problem.ts'

export type OnnxLibrary = typeof ort

/** Its threads sleep where there is nothing to do. By default they turn, for twice the CPU and no sooner. */
const SLEEPING_THREADS = { extra: { session: { intra_op: { allow_spinning: '0' } } } }

/** Loaded late: 100 MB of native code, which nobody need install who runs no model here. @throws ProblemError */
export const loadOnnxRuntime = async (): Promise<OnnxLibrary> => {
  try {
    return await import('onnxruntime-node')
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'models/no-onnxruntime',
        message: `onnxruntime-node can't be loaded: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`,
        remedy:
          'Install it beside medmake: npm install onnxruntime-node@1.30.0 (behind a firewall with ONNXRUNTIME_NODE_INSTALL=skip: without CUDA).',
      },
      { cause },
    )
  }
}

/** CPU threads of one step; onnxruntime's default is one a core. `auto`: CUDA where there is any. */
export interface OnnxOptions {
  readonly device: 'auto' | 'cpu' | 'cuda'
  readonly threads?: number
}

/** Opens a model's file. @throws the runtime's own error */
export const openOnnx = (
  runtime: OnnxLibrary,
  model: string,
  { device, threads }: OnnxOptions,
): Promise<ort.InferenceSession> => {
  const open = (provider: 'cpu' | 'cuda'): Promise<ort.InferenceSession> =>
    runtime.InferenceSession.create(model, {
      executionProviders: [provider],
      logSeverityLevel: 4,
      ...SLEEPING_THREADS,
      ...(threads === undefined ? {} : { intraOpNumThreads: threads }),
    })
  return device === 'auto' ? openAnywhere(open) : open(device)
}

/** CUDA where onnxruntime's library for it is installed and finds a device. */
const openAnywhere = (
  open: (provider: 'cpu' | 'cuda') => Promise<ort.InferenceSession>,
): Promise<ort.InferenceSession> => {
  const runtime = createRequire(import.meta.url).resolve('onnxruntime-node')
  const libraries = join(dirname(runtime), '..', 'bin', 'napi-v6', process.platform, process.arch)
  return existsSync(join(libraries, 'libonnxruntime_providers_cuda.so'))
    ? open('cuda').catch(() => open('cpu'))
    : open('cpu')
}

/** A table of whole numbers, as models take token ids and masks. */
export const int64Table = (
  { Tensor }: OnnxLibrary,
  [rows, columns]: readonly [number, number],
  fill: (row: number, column: number) => number,
): ort.Tensor =>
  new Tensor(
    'int64',
    BigInt64Array.from({ length: rows * columns }, (_, index) =>
      BigInt(fill(Math.floor(index / columns), index % columns)),
    ),
    [rows, columns],
  )
