import type { Verb } from '../verb.ts'

export const init: Verb = {
  name: 'init',
  summary: 'Make a workspace: a folder with an example benchmark, a model and a suite.',
  args: '[folder]',
  flags: {
    '--force': 'write into a folder that is not empty; no file is overwritten',
    '--example': 'add a metric and a client of the workspace’s own code, with a benchmark',
    '--ci': 'add a GitHub workflow that runs the suites in parts',
    '--k8s': 'add a Dockerfile and Kubernetes jobs that run the suites in parts',
  },
  examples: [
    'medmake init my-evals',
    'medmake init my-evals --example',
    'medmake init . --force',
    'medmake init . --ci',
  ],
  load: async () => (await import('./action.ts')).initAction,
}
