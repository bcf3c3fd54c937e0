import { Composer } from './composer/composer.ts'
import { typeAnywhere } from './composer/type-anywhere.ts'
import { Conversation } from './conversation/conversation.ts'
import { Drawer } from './drawer/drawer.ts'
import { html, render, useEffect, type VNode } from './html.ts'
import { Form } from './overlays/form.ts'
import { Lightbox } from './overlays/lightbox.ts'
import { MenuLayer } from './overlays/menu.ts'
import { ProfileLayer } from './overlays/profile.ts'
import { Toast } from './overlays/toast.ts'
import { Phone } from './phone/phone.ts'
import { Banner } from './sides/banner.ts'
import { ChannelHeader } from './sides/channel-header.ts'
import { Channels } from './sides/channels.ts'
import { Members } from './sides/members.ts'
import { NarrowBar } from './sides/narrow-bar.ts'
import { Servers } from './sides/servers.ts'
import { loadBooks, loadWire } from './state/books.ts'
import { isNarrow, narrowScreen, showsMembers, showsPhone } from './state/frame.ts'
import { say } from './state/interactions.ts'
import { connect, loadVisited, restWhileHidden } from './state/live.ts'
import { loadPhone } from './state/phone.ts'
import { channel, connection, enter, server, view } from './state/session.ts'
import { Tour } from './tour/tour.ts'

function App(): VNode {
  useEffect(() => {
    const name = channel.value?.kind === 'dm' ? `@${channel.value.name}` : `#${channel.value?.name}`
    document.title =
      channel.value === null ? 'Satchel playground' : `${name} · ${server.value?.name ?? 'Direct messages'}`
  }, [channel.value, server.value])
  if (view.value === null) return html`<${Opening} />`
  const screen = isNarrow.value ? narrowScreen.value : 'all'
  return html`
    <a class="skip-link" href="#composer">Skip to the composer</a>
    <div class="frame" data-screen=${screen}>
      <${Tour} />
      <${Banner} />
      <div class="columns">
        <div class="places"><${Servers} /><${Channels} /></div>
        <main class="middle" aria-label="Conversation">
          <${ChannelHeader} />
          <${Conversation} />
          <${Composer} />
        </main>
        ${showsMembers.value && html`<${Members} />`} ${showsPhone.value && html`<${Phone} />`}
      </div>
      <${Drawer} />
      <${NarrowBar} />
    </div>
    <${ProfileLayer} />
    <${MenuLayer} />
    <${Form} />
    <${Lightbox} />
    <${Toast} />
  `
}

function Opening(): VNode {
  return html`<div class="opening" role="status">
    <img src="/page/icon.svg" alt="" width="64" height="64" />
    <p>${connection.value === 'lost' ? 'The playground is not there. This page waits for it…' : 'Opening the playground…'}</p>
  </div>`
}

async function open(): Promise<void> {
  try {
    const missing = await enter()
    if (missing !== undefined) say(`Nobody here is called ${missing}. Choose a person under “You are”.`, 'failed')
  } catch {
    connection.value = 'lost'
    setTimeout(() => void open(), 1_500)
    return
  }
  void connect()
  loadVisited()
  restWhileHidden()
  await Promise.all([loadPhone(), loadBooks(), loadWire()]).catch(() => {})
}

const root = document.getElementById('app')
typeAnywhere()
if (root !== null) render(html`<${App} />`, root)
void open()
