"use strict";

document.querySelector("#sign-in").addEventListener("submit", () => {
  document.querySelector("#problem").textContent = "";
});
