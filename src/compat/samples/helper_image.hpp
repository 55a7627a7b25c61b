// name: helper_image
// provides: sdkLoadPGM, sdkLoadPPM4, sdkLoadPPM4ub, sdkLoadPPMub, sdkSavePGM, sdkSavePPM4ub, sdkSavePPMub, __loadPPM, __savePPM, sdkComparePPM, sdkComparePGM, sdkReadFile, sdkWriteFile, sdkDumpBin, MIN, MAX
// replaces: helper_image.h
// requires: helper_compare
// includes: cstdio, cstdlib, cstring, fstream, iostream, sstream, string, vector
// summary: PGM and PPM image files and text data files of the CUDA samples' helper_image.h under their own names.
// source: documented behaviour of the CUDA samples (Common); Netpbm formats P5 and P6
#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

// An element of an image as a byte, and back: floats run from 0 to 1.
inline unsigned char cass_to_byte(unsigned char value) { return value; }
inline unsigned char cass_to_byte(float value) { return static_cast<unsigned char>(value * 255.0f); }
inline void cass_from_byte(unsigned char byte, unsigned char& value) { value = byte; }
inline void cass_from_byte(unsigned char byte, float& value) { value = byte / 255.0f; }

// Next number of a Netpbm header, after blanks and comments.
inline bool cass_header_number(std::istream& in, unsigned int& number)
{
    while (in >> std::ws && in.peek() == '#')
        in.ignore(1 << 20, '\n');
    return static_cast<bool>(in >> number);
}

// Reads a P5 or P6 file with one byte a sample. A buffer given by the caller must have the size that *w and *h say.
inline bool __loadPPM(const char* file, unsigned char** data, unsigned int* w, unsigned int* h, unsigned int* channels)
{
    std::ifstream in(file, std::ios::binary);
    char magic[2] = {};
    unsigned int width = 0, height = 0, range = 0;
    in.read(magic, 2);
    *channels = magic[0] == 'P' && magic[1] == '5' ? 1 : magic[0] == 'P' && magic[1] == '6' ? 3 : 0;
    if (*channels == 0 || !cass_header_number(in, width) || !cass_header_number(in, height) || !cass_header_number(in, range)) {
        std::cerr << "__loadPPM() : not a PGM or PPM file: " << file << std::endl;
        return false;
    }
    if (*data && (*w != width || *h != height)) {
        std::cerr << "__loadPPM() : the image has another size than the buffer: " << file << std::endl;
        return false;
    }
    in.get();
    const size_t size = static_cast<size_t>(width) * height * *channels;
    unsigned char* bytes = *data ? *data : static_cast<unsigned char*>(malloc(size));
    if (!in.read(reinterpret_cast<char*>(bytes), static_cast<std::streamsize>(size))) {
        std::cerr << "__loadPPM() : the file is too short: " << file << std::endl;
        if (!*data)
            free(bytes);
        return false;
    }
    *data = bytes;
    *w = width;
    *h = height;
    return true;
}

inline bool __savePPM(const char* file, unsigned char* data, unsigned int w, unsigned int h, unsigned int channels)
{
    std::ofstream out(file, std::ios::binary);
    out << (channels == 1 ? "P5\n" : "P6\n") << w << "\n" << h << "\n255\n";
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(static_cast<size_t>(w) * h * channels));
    return static_cast<bool>(out);
}

// Loads files with `kept` channels into pixels of `stride` elements; the elements past the channels are 0.
template <class CassT>
inline bool cass_load_image(const char* file, CassT** data, unsigned int* w, unsigned int* h, unsigned int kept, unsigned int stride)
{
    unsigned char* bytes = nullptr;
    unsigned int width = 0, height = 0, channels = 0;
    if (!__loadPPM(file, &bytes, &width, &height, &channels))
        return false;
    const size_t pixels = static_cast<size_t>(width) * height;
    const bool fits = channels == kept && (!*data || (*w == width && *h == height));
    if (fits && !*data)
        *data = static_cast<CassT*>(malloc(pixels * stride * sizeof(CassT)));
    for (size_t i = 0; fits && i < pixels * stride; ++i) {
        const size_t channel = i % stride;
        cass_from_byte(channel < kept ? bytes[i / stride * kept + channel] : 0, (*data)[i]);
    }
    free(bytes);
    if (!fits)
        return false;
    *w = width;
    *h = height;
    return true;
}
template <class CassT>
inline bool sdkLoadPGM(const char* file, CassT** data, unsigned int* w, unsigned int* h)
{
    return cass_load_image(file, data, w, h, 1, 1);
}
template <class CassT>
inline bool sdkLoadPPM4(const char* file, CassT** data, unsigned int* w, unsigned int* h)
{
    return cass_load_image(file, data, w, h, 3, 4);
}
inline bool sdkLoadPPM4ub(const char* file, unsigned char** data, unsigned int* w, unsigned int* h)
{
    return cass_load_image(file, data, w, h, 3, 4);
}
inline bool sdkLoadPPMub(const char* file, unsigned char** data, unsigned int* w, unsigned int* h)
{
    return cass_load_image(file, data, w, h, 3, 3);
}

template <class CassT>
inline bool sdkSavePGM(const char* file, CassT* data, unsigned int w, unsigned int h)
{
    std::vector<unsigned char> bytes(static_cast<size_t>(w) * h);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = cass_to_byte(data[i]);
    return __savePPM(file, bytes.data(), w, h, 1);
}
inline bool sdkSavePPMub(const char* file, unsigned char* data, unsigned int w, unsigned int h)
{
    return __savePPM(file, data, w, h, 3);
}
inline bool sdkSavePPM4ub(const char* file, unsigned char* data, unsigned int w, unsigned int h)
{
    std::vector<unsigned char> bytes(static_cast<size_t>(w) * h * 3);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = data[i / 3 * 4 + i % 3];
    return __savePPM(file, bytes.data(), w, h, 3);
}

template <bool (*CassLoad)(const char*, unsigned char**, unsigned int*, unsigned int*), unsigned CassChannels>
inline bool cass_compare_images(const char* file, const char* reference, float epsilon, float threshold, bool verbose)
{
    unsigned char *data = nullptr, *expected = nullptr;
    unsigned int w = 0, h = 0, expected_w = 0, expected_h = 0;
    bool equal = CassLoad(file, &data, &w, &h) && CassLoad(reference, &expected, &expected_w, &expected_h);
    equal = equal && w == expected_w && h == expected_h;
    equal = equal && compareData(expected, data, w * h * CassChannels, epsilon, threshold);
    if (!equal && verbose)
        std::cerr << file << " differs from " << reference << std::endl;
    free(data);
    free(expected);
    return equal;
}
inline bool sdkComparePPM(const char* file, const char* reference, const float epsilon, const float threshold, bool verbose)
{
    return cass_compare_images<sdkLoadPPM4ub, 4>(file, reference, epsilon, threshold, verbose);
}
inline bool sdkComparePGM(const char* file, const char* reference, const float epsilon, const float threshold, bool verbose)
{
    return cass_compare_images<sdkLoadPGM<unsigned char>, 1>(file, reference, epsilon, threshold, verbose);
}

// Values of a text file, separated by blanks; lines that begin with '#' are skipped.
template <class CassT>
inline bool sdkReadFile(const char* name, CassT** data, unsigned int* length, bool verbose)
{
    std::ifstream in(name);
    std::vector<CassT> values;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line[0] == '#' ? std::string() : line);
        for (CassT value; words >> value;)
            values.push_back(value);
    }
    if (values.empty() || (*data && *length < values.size())) {
        if (verbose)
            std::cerr << "sdkReadFile() : no data, or more than fits: " << name << std::endl;
        return false;
    }
    if (!*data)
        *data = static_cast<CassT*>(malloc(sizeof(CassT) * values.size()));
    *length = static_cast<unsigned int>(values.size());
    memcpy(*data, values.data(), sizeof(CassT) * values.size());
    return true;
}
template <class CassT, class CassS>
inline bool sdkWriteFile(const char* name, const CassT* data, unsigned int length, const CassS epsilon, bool verbose, bool append = false)
{
    std::ofstream out(name, append ? std::ios::app : std::ios::trunc);
    if (!append)
        out << "# " << epsilon << "\n";
    for (unsigned int i = 0; i < length; ++i)
        out << data[i] << ' ';
    out << std::endl;
    if (!out && verbose)
        std::cerr << "sdkWriteFile() : cannot write " << name << std::endl;
    return static_cast<bool>(out);
}
inline void sdkDumpBin(void* data, unsigned int bytes, const char* name)
{
    std::ofstream out(name, std::ios::binary);
    out.write(static_cast<const char*>(data), bytes);
}
