import './parley-call.ts';

// The key stands after `#`, so that it is in no log.
const call = document.createElement('parley-call');
call.setAttribute('public-key', location.hash.slice(1));
document.querySelector('main')?.append(call);
