import { computed, effect, signal } from '../html.ts'
import { holdsSats } from './session.ts'

/** The window's width. The style sheets use the same limits. */
export const width = signal(innerWidth)
addEventListener('resize', () => {
  width.value = innerWidth
})
export const isNarrow = computed(() => width.value < 860)
const wantsMembers = signal(localStorage.getItem('members') === 'open')
const wantsPhone = signal(localStorage.getItem('phone') !== 'closed')
/** What a narrow window shows, which has room for one thing at a time. */
export const narrowScreen = signal<'chat' | 'places' | 'members' | 'phone' | 'books'>('chat')

export const showsMembers = computed(() => (isNarrow.value ? narrowScreen.value === 'members' : wantsMembers.value))
/** Whether the phone is shown. If there is little room, the phone and the members cover the conversation. */
export const showsPhone = computed(
  () => holdsSats.value && (isNarrow.value ? narrowScreen.value === 'phone' : wantsPhone.value),
)

export function toggleMembers(): void {
  if (isNarrow.value) narrowScreen.value = narrowScreen.value === 'members' ? 'chat' : 'members'
  else {
    wantsMembers.value = !wantsMembers.value
    keepSides()
  }
}

export function togglePhone(): void {
  if (isNarrow.value) narrowScreen.value = narrowScreen.value === 'phone' ? 'chat' : 'phone'
  else {
    wantsPhone.value = !wantsPhone.value
    keepSides()
  }
}

/** Shows the phone, for example after a scan. */
export function showPhone(): void {
  if (isNarrow.value) narrowScreen.value = 'phone'
  else if (!showsPhone.value) togglePhone()
}

function keepSides(): void {
  localStorage.setItem('members', wantsMembers.value ? 'open' : 'closed')
  localStorage.setItem('phone', wantsPhone.value ? 'open' : 'closed')
}

export type DrawerTab = 'books' | 'wire' | 'waiting' | 'wallets'
export const drawer = signal<DrawerTab | null>(null)
export const drawerIsOpen = computed(() => (isNarrow.value ? narrowScreen.value === 'books' : drawer.value !== null))

export const theme = signal<'dark' | 'light'>(document.documentElement.dataset.theme === 'light' ? 'light' : 'dark')
effect(() => {
  document.documentElement.dataset.theme = theme.value
})

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem('theme', theme.value)
}

/** The picture that is shown at a large size. */
export const lightbox = signal<{ readonly url: string; readonly alt: string } | null>(null)
