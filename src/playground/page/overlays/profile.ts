import type { MemberView, PersonView } from '../../../discord-emulator/views.ts'
import { html, signal, useLayoutEffect, useRef, type VNode } from '../html.ts'
import { Avatar, BotTag } from '../sides/avatar.ts'
import { Icon } from '../sides/icons.ts'
import { useAway } from '../sides/use-away.ts'
import { colorOf, memberById, now, personById, server, view } from '../state/session.ts'
import { ago, dayOf } from '../text/format.ts'
import { personItems } from './person-items.ts'

const shown = signal<{ readonly id: string; readonly beside: HTMLElement } | null>(null)

/** Opens a person's card beside the clicked element, or closes the card if it is already open there. */
export function openProfile(id: string, beside: HTMLElement): void {
  shown.value = shown.value?.id === id && shown.value.beside === beside ? null : { id, beside }
}

export function ProfileLayer(): VNode | null {
  const card = shown.value
  const person = card === null ? undefined : (memberById(card.id) ?? personById(card.id) ?? botWhereNoServerIs(card.id))
  if (card === null || person === undefined) return null
  return html`<${Profile} key=${card.id} person=${person} beside=${card.beside} />`
}

function botWhereNoServerIs(id: string): PersonView | undefined {
  return view.value?.conversations.find((each) => each.with?.id === id)?.with ?? undefined
}

function Profile({ person, beside }: { person: PersonView; beside: HTMLElement }): VNode {
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    shown.value = null
    if (beside.isConnected) beside.focus()
  }
  useAway(box, true, () => {
    shown.value = null
  })
  useLayoutEffect(() => {
    const card = box.current
    if (card === null) return
    const edge = beside.getBoundingClientRect()
    const right = edge.right + 12 + card.offsetWidth < innerWidth ? edge.right + 12 : edge.left - card.offsetWidth - 12
    const narrow = Math.max(8, (innerWidth - card.offsetWidth) / 2)
    card.style.left = `${right < 8 ? narrow : right}px`
    card.style.top = `${Math.max(8, Math.min(edge.top, innerHeight - card.offsetHeight - 8))}px`
    card.focus()
  }, [])
  const member = memberById(person.id)
  const roles = server.value?.roles.filter(({ id }) => member?.roleIds.includes(id)) ?? []
  const color = colorOf(person.id)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }
  return html`<div class="profile" ref=${box} tabindex="-1" role="dialog" aria-label=${person.name} onKeyDown=${onKeyDown}>
    <div class="profile-banner" style=${{ '--person': person.avatarColor }}></div>
    <div class="profile-picture"><${Avatar} person=${person} size=${76} /></div>
    <h3 style=${color === null ? null : { '--role': color }}>${person.name} ${person.bot && html`<${BotTag} />`}</h3>
    <p class="profile-username">${person.username}</p>
    <${Facts} person=${person} member=${member} />
    ${roles.length > 0 && html`<div class="profile-roles">${roles.map((role) => html`<span style=${{ '--role': role.color ?? 'var(--muted)' }}>${role.name}</span>`)}</div>`}
    <div class="profile-actions">
      ${personItems(person.id).map(
        (item) => html`<button
          type="button"
          class="button secondary"
          onClick=${() => {
            close()
            item.run()
          }}
        >
          ${item.icon !== undefined && html`<${Icon} name=${item.icon} size=${16} />`}<span>${item.label.replace(/^⚡ /, '')}</span>
        </button>`,
      )}
    </div>
  </div>`
}

function Facts({ person, member }: { person: PersonView; member: MemberView | undefined }): VNode {
  return html`<dl class="profile-facts">
    <div>
      <dt>Account made</dt>
      <dd title=${dayOf(person.createdAt)}>${ago(Date.parse(person.createdAt), now.value)}</dd>
    </div>
    ${
      member !== undefined &&
      html`<div>
        <dt>Member since</dt>
        <dd title=${dayOf(member.joinedAt)}>${ago(Date.parse(member.joinedAt), now.value)}</dd>
      </div>`
    }
  </dl>`
}
