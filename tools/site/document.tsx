import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { visibleText } from './visible-text.ts'

/** A page's frame. */
export interface PageFrame {
  readonly title: string
  /** Prefix of addresses that leads to the site's root: empty or `../`. */
  readonly root: '' | '../'
  /** Pages above this one, the outermost first. */
  readonly trail: readonly { readonly label: string; readonly href: string }[]
  readonly children: ComponentChildren
}

/**
 * Only the site's own files run or load; nothing leaves the page, whatever a text on it says.
 * `file:` is there because browsers do not agree on what 'self' is for a page opened from disk.
 */
export const CONTENT_POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'"

/** A whole page as HTML. */
export const renderPage = (frame: PageFrame): string =>
  `<!doctype html>\n${renderToString(<Page {...frame} />)}\n`

const Page = ({ title, root, trail, children }: PageFrame): JSX.Element => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={CONTENT_POLICY} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>{visibleText(title)}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={`${root}assets/board.css`} />
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="masthead">
        <a class="masthead-name" href={`${root}index.html`}>
          Medical model evaluations
        </a>
        {trail.length === 0 ? null : <Trail steps={trail} here={title} />}
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer class="colophon">
        <p>
          Made with medmake, measured as MedHELM does. Intervals are 95 % confidence intervals.{' '}
          <a href={`${root}board.json`}>All figures as JSON</a>
        </p>
      </footer>
      <script src={`${root}assets/board.js`} />
    </body>
  </html>
)

const Trail = ({
  steps,
  here,
}: {
  readonly steps: PageFrame['trail']
  readonly here: string
}): JSX.Element => (
  <nav aria-label="Breadcrumb">
    <ol class="trail">
      {steps.map(({ label, href }) => (
        <li key={href}>
          <a href={href}>{visibleText(label)}</a>
        </li>
      ))}
      <li aria-current="page">{visibleText(here)}</li>
    </ol>
  </nav>
)
