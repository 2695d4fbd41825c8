import type { Tree } from '@nx/devkit'
import { ProblemError } from '../../cache/problems/problem.ts'
import { releaseProcess } from '../../cache/user-code/guards.ts'
import { formatProblems } from '../cli/output/print-problems.ts'
import { benchmark as makeBenchmark, type BenchmarkOptions } from './generators/benchmark.ts'
import { init as makeInit } from './generators/init.ts'
import { model as makeModel, type ModelOptions } from './generators/model.ts'

type Generator<Options> = (tree: Tree, options: Options) => void | Promise<void>

/** Nx prints an error's message and no more. */
const told =
  <Options>(generate: Generator<Options>): Generator<Options> =>
  async (tree, options) => {
    try {
      await generate(tree, options)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      throw new Error(formatProblems(error.problems, false), { cause: error })
    } finally {
      releaseProcess()
    }
  }

export const benchmark: Generator<BenchmarkOptions> = told(makeBenchmark)
export const model: Generator<ModelOptions> = told(makeModel)
export const init: Generator<unknown> = told(makeInit)
