import type * as ort from 'onnxruntime-node'
import { ProblemError } from '../cache/problems/problem.ts'

export type OnnxLibrary = typeof ort

/** Of a session: its threads sleep where there is nothing to do. By default they turn, for twice the CPU and no sooner. */
export const SLEEPING_THREADS = { extra: { session: { intra_op: { allow_spinning: '0' } } } }

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
