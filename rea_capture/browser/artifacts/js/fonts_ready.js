const fontsReady = async () => {
  const fonts = getter(Document, 'fonts');
  for (const each of everyDocument()) await fonts(each).ready;
};
