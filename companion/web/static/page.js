// Keeps the live part of the page alive, and says so when it is not. Everything else is htmx.
(function () {
  "use strict";
  const live = document.querySelector("[data-live]");
  const stale = document.getElementById("stale");
  const said = document.getElementById("said");
  const SILENT_MS = 20000, RETRY_MS = 2500;
  let source = null, heardAt = Date.now(), retry = 0;

  function clock() {
    return new Date(heardAt).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  }

  function show(isStale) {
    stale.hidden = !isStale;
    document.body.classList.toggle("is-stale", isStale);
    if (isStale) stale.querySelector("time").textContent = clock();
  }

  function heard() {
    heardAt = Date.now();
    show(false);
  }

  function shut() {
    clearTimeout(retry);
    if (source) source.close();
    source = null;
  }

  function again() {
    show(true);
    shut();
    if (!document.hidden) retry = setTimeout(open, RETRY_MS);
  }

  function open() {
    shut();
    source = new EventSource(live.dataset.live);
    source.onerror = again;
    source.addEventListener("beat", heard);
    source.addEventListener("hello", function (event) {
      if (event.data !== live.dataset.run) location.reload();
    });
    source.addEventListener("said", function (event) {
      if (said.textContent !== event.data) said.textContent = event.data;
    });
    source.addEventListener("now", function (event) {
      heard();
      Idiomorph.morph(live, event.data, { morphStyle: "innerHTML" });
      htmx.process(live);
    });
  }

  if (live) {
    open();
    setInterval(function () {
      if (!document.hidden && Date.now() - heardAt > SILENT_MS) again();
    }, 4000);
    // A page nobody looks at watches nothing: it spares the phone, and leaves room for others.
    document.addEventListener("visibilitychange", function () {
      if (document.hidden) { shut(); return; }
      if (Date.now() - heardAt > SILENT_MS) show(true);
      open();
    });
    window.addEventListener("pagehide", shut);
    window.addEventListener("pageshow", function (event) { if (event.persisted) open(); });
  }

  // A camera's picture is fetched anew once the last one is there, never faster.
  document.querySelectorAll("img[data-again]").forEach(function (picture) {
    function next() { if (!document.hidden) picture.src = picture.dataset.again + "?" + Date.now(); }
    picture.addEventListener("load", function () { setTimeout(next, 400); });
    picture.addEventListener("error", function () { setTimeout(next, 3000); });
    document.addEventListener("visibilitychange", next);
  });

  // Two taps at one place are one tap, and so are two at a button that shows the same while its answer is
  // awaited: afterwards it may ask for something else. Any other tap waits for the answer, and goes if it means
  // the same then. Cards are typed that fast, and a press goes on to the next face, answer or item.
  const TWICE_MS = 500, NEAR = 40, KEYS = ".keypad button", ON = ".dispute #press, .setup #press, .menu #press";
  let tapped = { at: -TWICE_MS }, asked = null, waiting = [], going = false;

  function meant(button) {
    const known = button.form.elements.known;
    return { button: button, form: button.form, line: button.value, known: known ? known.value : "" };
  }

  function goesOn(tap) {
    if (!tap.button.isConnected) return false;
    const now = meant(tap.button), question = function (each) { return each.known.split("=")[0]; };
    const same = tap.button.matches(ON) ? question(now) === question(tap) : now.known === tap.known;
    return now.line === tap.line && (same || tap.button.matches(KEYS));
  }

  function next() {
    while (!asked && waiting.length) {
      const tap = waiting.shift();
      going = goesOn(tap);
      if (going) tap.button.click();
      going = false;
    }
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest("form[hx-post] button");
    if (!button || going) return;
    const tap = Object.assign(meant(button), { at: event.timeStamp, x: event.clientX, y: event.clientY });
    const near = event.detail ? Math.hypot(tap.x - tapped.x, tap.y - tapped.y) < NEAR : button === tapped.button;
    const twice = tap.at - tapped.at < TWICE_MS && near, fast = button.matches(KEYS) || button.matches(ON);
    const awaited = asked && asked.form.isConnected ? asked : null;
    tapped = tap;
    if (!awaited && (fast || !twice)) return;
    event.preventDefault();
    event.stopPropagation();
    const impatient = awaited && button === awaited.button && tap.line === awaited.line && tap.known === awaited.known;
    if (awaited && (fast || !(twice || impatient))) waiting.push(tap);
  }, true);
  document.body.addEventListener("htmx:beforeRequest", function (event) {
    const button = (event.detail.requestConfig.triggeringEvent || {}).submitter;
    if (button && event.target.matches("form[hx-post]")) asked = meant(button);
  });
  document.body.addEventListener("htmx:afterRequest", function (event) {
    if (!asked || event.detail.requestConfig.elt !== asked.form) return;
    asked = null;
    if (!event.detail.xhr.status) waiting = [];
    setTimeout(next);
  });

  // An answer is read and goes; the table itself shows what has changed.
  const answer = document.getElementById("answer");
  let gone = 0;
  document.body.addEventListener("htmx:afterSwap", function (event) {
    if (event.target !== answer) return;
    clearTimeout(gone);
    gone = setTimeout(function () { answer.textContent = ""; }, 6000);
  });
  document.body.addEventListener("htmx:sendError", function () { if (live) again(); });
})();
