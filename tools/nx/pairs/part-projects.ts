import type { ProjectConfiguration } from '@nx/devkit'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import type { Pair } from './pair.ts'
import { slug } from './pair-name.ts'
import { TECHNOLOGIES } from './pair-project.ts'

/** The benchmarks and models of these pairs as projects without targets: what pairs depend on in the graph. */
export const partProjects = (
  pairs: Iterable<Pair>,
  registry: Pick<ModelRegistry, 'model'>,
): readonly ProjectConfiguration[] => {
  const parts = new Map<string, ProjectConfiguration>()
  for (const { target } of pairs) {
    const { benchmark, adapter } = target.spec
    const part = (root: string, kind: string, description: string): void => {
      if (!parts.has(root))
        parts.set(root, {
          name: root,
          root,
          tags: [kind],
          metadata: { description, technologies: TECHNOLOGIES },
          targets: {},
        })
    }
    part(`benchmarks/${slug(benchmark.name)}`, 'benchmark', benchmark.description)
    const { displayName, description } = registry.model(adapter.model) ?? {}
    part(`models/${slug(adapter.model)}`, 'model', [displayName, description].filter(Boolean).join('. '))
  }
  return [...parts.values()]
}
