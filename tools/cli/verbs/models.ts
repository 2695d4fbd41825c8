import type { Verb } from '../verb.ts'

export const models: Verb = {
  name: 'models',
  summary: 'List the models and deployments that are declared, their prices, and whether a key is at hand.',
  args: '[names...]',
  flags: [
    {
      flags: '--local-path <folder>',
      description: 'model_deployments.yaml, credentials.conf',
      shownDefault: 'prod_env',
    },
    { flags: '--json', description: 'print one JSON object' },
  ],
  examples: ['medmake models', 'medmake models baseline'],
  load: async () => (await import('../actions/models.ts')).modelsAction,
}
