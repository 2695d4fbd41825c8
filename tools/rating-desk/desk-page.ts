import { createHash } from 'node:crypto'
import { readBuilt } from '../site/emit/assets.ts'

/** The desk as one HTML text, and the policy that lets nothing but its own script and style in. */
export interface DeskPage {
  readonly html: string
  readonly policy: string
}

/**
 * @param sealed texts of a sealed file, as they stand in its page; undefined for a page that asks its server
 * @throws ProblemError `site/not-built`
 */
export const deskPage = async (sealed?: string): Promise<DeskPage> => {
  const [script, style] = await Promise.all([deskAsset('desk.js'), deskAsset('desk.css')])
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    `connect-src ${sealed === undefined ? "'self'" : "'none'"}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const data = sealed === undefined ? '' : `<script type="application/json" id="sealed">${sealed}</script>\n`
  const body = `\n<div id="desk"></div>\n${data}<script>${script}</script>\n`
  return { html: documentOf({ title: 'Rating desk', policy, style, body }), policy }
}

/** A page that stands for itself: nothing is loaded. */
export const documentOf = ({
  title,
  policy,
  style,
  body,
}: Readonly<Record<'title' | 'policy' | 'style' | 'body', string>>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>${body}</body>
</html>
`

export const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What stands inside an element may not end it. */
export const deskAsset = async (name: 'desk.js' | 'desk.css'): Promise<string> =>
  (await readBuilt('the rating desk')).desk[name]
    .replaceAll(/<\/(?=script|style)/gi, '<\\/')
    .replaceAll('<!--', '<\\!--')
