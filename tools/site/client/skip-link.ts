/** Moves the focus without touching the address: its fragment is where pages keep their state. */
export const followSkipLink = (): void => {
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  })
}
