/**
 * Semantic versions of the stages, part of their keys. Raise one by hand whenever that stage's results change for the
 * same input; the golden tests fail when results change and the version does not.
 */
export const STAGE_VERSIONS = {
  instances: '2',
  prompts: '1',
  completions: '1',
  annotations: '1',
  record: '7',
} as const
