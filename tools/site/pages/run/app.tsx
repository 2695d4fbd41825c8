import { render } from 'preact'
import { loadChunk } from '../../client/chunks.ts'
import type { StartApp } from '../../client/start-app.ts'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Instance } from './instance.tsx'
import type { LoadChunk } from '../../components/shown-text.tsx'
import type { InstanceView } from './instance-view.ts'
import { pageKey } from './page-key.ts'
import { anchorOf, readHash } from './page-hash.ts'

interface InstancesAppProps {
  readonly pages: number
  readonly mainMetric: string
  readonly load: LoadChunk
}

interface LoadedPage {
  readonly page: number
  /** Undefined: the chunk could not be loaded. */
  readonly instances: readonly InstanceView[] | undefined
}

/** A run's instances, a page at a time. The address tells page and instance, so that both can be linked to. */
export const InstancesApp = ({ pages, mainMetric, load }: InstancesAppProps): JSX.Element => {
  const [place, setPlace] = useState(() => readHash(location.hash, pages) ?? { page: 0 })
  const [loaded, setLoaded] = useState<LoadedPage>()
  useEffect(() => {
    const follow = (): void => setPlace((current) => readHash(location.hash, pages) ?? current)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    let wanted = true
    const show = async (): Promise<void> => {
      try {
        const instances = (await load(pageKey(place.page))) as readonly InstanceView[]
        if (wanted) setLoaded({ page: place.page, instances })
      } catch {
        if (wanted) setLoaded({ page: place.page, instances: undefined })
      }
    }
    void show()
    return () => {
      wanted = false
    }
  }, [place.page])
  useEffect(() => {
    if (place.anchor !== undefined) document.getElementById(place.anchor)?.focus()
  }, [place.anchor, loaded])
  if (pages === 0) return <p>No instance was evaluated.</p>
  return (
    <>
      <Pager page={place.page} pages={pages} label="Pages" />
      <div aria-live="polite" class="detail">
        {loaded?.page === place.page ? '' : 'Loading…'}
      </div>
      {loaded === undefined ? null : <LoadedInstances loaded={loaded} mainMetric={mainMetric} load={load} />}
      {pages > 1 ? <Pager page={place.page} pages={pages} label="Pages, again" /> : null}
    </>
  )
}

const LoadedInstances = ({
  loaded,
  mainMetric,
  load,
}: Omit<InstancesAppProps, 'pages'> & { readonly loaded: LoadedPage }): JSX.Element =>
  loaded.instances === undefined ? (
    <p class="warning">This page of instances could not be loaded.</p>
  ) : (
    <>
      {loaded.instances.map((instance, index) => (
        <Instance
          key={`${loaded.page}-${index}`}
          id={anchorOf(loaded.page, index)}
          instance={instance}
          mainMetric={mainMetric}
          load={load}
        />
      ))}
    </>
  )

const Pager = ({
  page,
  pages,
  label,
}: {
  readonly page: number
  readonly pages: number
  readonly label: string
}): JSX.Element => (
  <nav class="pager" aria-label={label}>
    {page > 0 ? <a href={`#p${page}`}>Previous</a> : <span class="off">Previous</span>}
    <span>
      Page {page + 1} of {pages}
    </span>
    {page + 1 < pages ? <a href={`#p${page + 2}`}>Next</a> : <span class="off">Next</span>}
  </nav>
)

export const startInstances: StartApp = (root) => {
  const { base = '', pages = '0', main = '' } = root.dataset
  root.replaceChildren()
  render(<InstancesApp pages={Number(pages)} mainMetric={main} load={(key) => loadChunk(base, key)} />, root)
}
