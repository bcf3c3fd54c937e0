import { sdk } from '../sdk'
import { chooseNode } from './chooseNode'
import { showCode } from './showCode'

export const actions = sdk.Actions.of().addAction(showCode).addAction(chooseNode)
