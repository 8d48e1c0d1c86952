"use strict";

document.querySelector("#sign-in").addEventListener("submit", (event) => {
  document.querySelector("#problem").textContent = "";
  console.log("signing in", Object.fromEntries(new FormData(event.target)).password);
});
