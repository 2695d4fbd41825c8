import type { Verb } from '../verb.ts'

export const init: Verb = {
  name: 'init',
  summary: 'Make a workspace: a folder with an example benchmark, a model and a suite.',
  args: '[folder]',
  flags: [
    { flags: '--force', description: 'write into a folder that is not empty; no file is overwritten' },
    {
      flags: '--example',
      description: 'add a metric and a client of the workspace’s own code, with a benchmark',
    },
  ],
  examples: ['medmake init my-evals', 'medmake init my-evals --example', 'medmake init . --force'],
  load: async () => (await import('./action.ts')).initAction,
}
