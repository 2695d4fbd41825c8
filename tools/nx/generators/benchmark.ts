import type { Tree } from '@nx/devkit'
import { newBenchmark, withNotice } from '../../benchmark/new-benchmark.ts'
import { homeOf, wantedBenchmark, type Wanted } from '../../benchmark/wanted.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'

export type BenchmarkOptions = Omit<Wanted, 'data'>

/** `nx g medmake:benchmark NAME`: what `medmake benchmark new NAME` writes. */
export const benchmark = async (tree: Tree, options: BenchmarkOptions): Promise<void> => {
  const { root } = tree
  const { config, path } = await findWorkspace(root)
  const wanted = await wantedBenchmark(options, root, path(config.local_path))
  const { files, notice } = newBenchmark(wanted, homeOf(root))
  for (const [file, text] of files) if (!tree.exists(file)) tree.write(file, text)
  tree.write('NOTICE', withNotice(tree.read('NOTICE', 'utf8') ?? '', notice))
}
