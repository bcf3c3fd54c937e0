import type { TippingContext } from '../engine/tipping-context.ts'
import { askTip, confirmTip } from './ask-tip.ts'
import { joinTip } from './join-tip.ts'
import { sendFromPool, sendTip } from './send-tip.ts'
import type { Tips } from './tips.ts'
import { viewReceipt } from './view-receipt.ts'
import { viewTip } from './view-tip.ts'

export function bindTips(context: TippingContext): Tips {
  return {
    send: (command) => sendTip(context, command),
    ask: (command) => askTip(context, command),
    confirm: (command) => confirmTip(context, command),
    sendFromPool: (command) => sendFromPool(context, command),
    join: (command) => joinTip(context, command),
    view: (id) => viewTip(context, id),
    receipt: (share) => viewReceipt(context, share),
  }
}
