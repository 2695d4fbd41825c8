import type { SiteSuite } from './site.ts'

/** An entry of the header. */
export interface NavigationEntry {
  readonly label: string
  /** Address below the site's root. */
  readonly path: string
}

/** A file of the site; the path is below its root. */
export interface SiteFile {
  readonly path: string
  readonly text: string
}

/** What a page is made of. */
export interface SiteView {
  readonly suites: readonly SiteSuite[]
  readonly navigation: readonly NavigationEntry[]
}

/** A page that the header names: a folder in pages/ and a line in pages/pages.ts. */
export interface SitePage extends NavigationEntry {
  /** False leaves the page out, with its entry: there is nothing to show on it. */
  readonly isIn: (suites: readonly SiteSuite[]) => boolean
  /** Its files, the one at `path` among them; data that it loads, too. */
  readonly files: (view: SiteView) => Iterable<SiteFile>
}
