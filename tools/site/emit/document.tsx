import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { NavigationEntry } from '../site-page.ts'
import { visibleText } from '../visible-text.ts'

export interface PageFrame {
  readonly title: string
  /** Prefix of addresses that leads to the site's root: empty or `../`. */
  readonly root: '' | '../'
  readonly navigation: readonly NavigationEntry[]
  /** `path` of the header's entry that the page belongs to. */
  readonly here?: string
  /** Pages above this one, the outermost first. */
  readonly trail: readonly { readonly label: string; readonly href: string }[]
  /** `answers` for pages that show them. */
  readonly script?: 'board' | 'answers'
  readonly children: ComponentChildren
}

/**
 * Only the site's own files run or load; nothing leaves the page, whatever a text on it says.
 * `file:` is there because browsers do not agree on what 'self' is for a page opened from disk.
 */
export const CONTENT_POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'"

export const renderPage = (frame: PageFrame): string =>
  `<!doctype html>\n${renderToString(<Page {...frame} />)}\n`

const Page = ({
  title,
  root,
  navigation,
  here,
  trail,
  script = 'board',
  children,
}: PageFrame): JSX.Element => (
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
      <script src={`${root}assets/${script}.js`} defer />
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <SiteHeader navigation={navigation} here={here} root={root} trail={[...trail, { label: title }]} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer class="colophon">
        <p>
          Made with medmake, measured as MedHELM does. Intervals are 95 % confidence intervals.{' '}
          <a href={`${root}board.json`}>All figures as JSON</a>
        </p>
      </footer>
    </body>
  </html>
)

interface SiteHeaderProps {
  readonly navigation: readonly NavigationEntry[]
  /** `path` of the entry that the reader is on or below. */
  readonly here?: string | undefined
  /** Prefix of addresses that leads to the site's root. */
  readonly root: string
  /** Pages above this one, the outermost first, and its own title. */
  readonly trail: readonly { readonly label: string; readonly href?: string }[]
}

/** The site's name and pages, and where among them this page is. */
const SiteHeader = ({ navigation, here, root, trail }: SiteHeaderProps): JSX.Element => (
  <header class="masthead">
    <p class="masthead-name">Medical model evaluations</p>
    <nav aria-label="Site">
      <ul class="pages">
        {navigation.map(({ label, path }) => (
          <li key={path}>
            <a href={root + path} aria-current={path === here ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {trail.length < 2 ? null : (
      <nav aria-label="Breadcrumb" class="breadcrumb">
        <ol class="trail">
          {trail.map(({ label, href }) => (
            <li key={label} aria-current={href === undefined ? 'page' : undefined}>
              {href === undefined ? visibleText(label) : <a href={href}>{visibleText(label)}</a>}
            </li>
          ))}
        </ol>
      </nav>
    )}
  </header>
)
