/** Where the sources of each line of HELM are shown. */
const SOURCES: Readonly<Record<string, string>> = {
  'medhelm-0.8': 'https://github.com/PacificAI/medhelm/blob/main/src/',
}
const HELM_SOURCES = 'https://github.com/stanford-crfm/helm/blob/main/src/'

/** `definition_path` of scenario.json: the module of a HELM class (HELM.md B5). */
export const definitionPath = (className: string, protocol: string): string =>
  `${SOURCES[protocol] ?? HELM_SOURCES}${className.split('.').slice(0, -1).join('/')}.py`
