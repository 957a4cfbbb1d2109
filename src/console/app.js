// @ts-check
import { ApiError } from './api.js';
import { CallView } from './call-view.js';
import { byId } from './dom.js';
import { Notice } from './notice.js';
import { forgetKey, SignIn, storedKey } from './sign-in.js';

const notice = new Notice();
const signOutButton = byId('sign-out', HTMLButtonElement);
const callView = new CallView(notice, (error) => signOut(error));
const signIn = new SignIn(enter);

signOutButton.addEventListener('click', () => signOut());

/**
 * @param {import('./api.js').Api} api
 * @param {import('./api.js').Assistant[]} assistants
 */
function enter(api, assistants) {
  signIn.hide();
  signOutButton.hidden = false;
  callView.show(api, assistants);
}

/** @param {unknown} [error] */
function signOut(error) {
  forgetKey();
  notice.hide();
  callView.hide();
  signOutButton.hidden = true;
  signIn.show(error);
}

const key = storedKey();
if (key === undefined) {
  signIn.show();
} else {
  try {
    await signIn.enter(key, enter);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) forgetKey();
    signIn.show(error);
  }
}
document.body.dataset.started = 'true';
