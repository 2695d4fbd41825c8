/**
 * What an instance's answers were drawn with, whichever model gave them: its source, such as a patient, else the instance
 * itself. No source can have an instance's name.
 */
export const sourceOf = (instance: string, source: string | undefined): string =>
  source === undefined ? `instance ${instance}` : `source ${source}`
