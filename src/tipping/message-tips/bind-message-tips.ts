import type { TippingContext } from '../engine/tipping-context.ts'
import type { MessageTips } from './message-tips.ts'
import { askToTipMessage, tipByReaction, tipMessage } from './tip-message.ts'
import { viewMessageTips } from './view-message-tips.ts'

export function bindMessageTips(context: TippingContext): MessageTips {
  return {
    tip: (command) => tipMessage(context, command),
    ask: (command) => askToTipMessage(context, command),
    react: (command) => tipByReaction(context, command),
    view: (message) => viewMessageTips(context, message),
  }
}
