import { WIDGETS } from '../form/widgets.ts';
import { ServerToolsWidget } from './server-tools.tsx';

/** The widgets of the forms of tools. */
export const TOOL_WIDGETS = { ...WIDGETS, 'server-tools': ServerToolsWidget };
